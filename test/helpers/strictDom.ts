import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, expect } from 'vitest'
import { limits } from '../limits.js'

// Whatever a test renders is rendered as an app in development renders it: twice, and with its effects undone once.
configure({ reactStrictMode: true, asyncUtilTimeout: limits.conditionMs })

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
