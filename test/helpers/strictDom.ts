import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, expect } from 'vitest'

// Whatever a test renders is rendered as an app in development renders it: twice, and with its effects undone once.
// The service and the chain behind some tests take their time on machines that are busy.
configure({ reactStrictMode: true, asyncUtilTimeout: 20_000 })

const told: string[] = []
for (const level of ['error', 'warn'] as const)
  console[level] = (...words: unknown[]) => void told.push(`console.${level}: ${words.map(String).join(' ')}`)

// A test that expects words on the console listens for them itself.
const expectSilence = () => expect(told.splice(0)).toEqual([])
afterEach(() => {
  cleanup()
  expectSilence()
})
afterAll(expectSilence)
