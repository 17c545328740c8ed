import { cleanup, render, renderHook } from '@testing-library/react'
import { useEffect } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { listSources, readSource } from './helpers/sources.js'

afterEach(cleanup)

const files = listSources('test', /\.tsx$/).filter((file) => !file.startsWith('test/e2e/'))

test('default: whatever a test renders runs its effects twice', () => {
  const effect = vi.fn()
  const Subject = () => {
    useEffect(effect, [])
    return null
  }
  render(<Subject />)
  expect(effect).toHaveBeenCalledTimes(2)
  renderHook(() => useEffect(effect, []))
  expect(effect).toHaveBeenCalledTimes(4)
})

test('behavior: what hydrates by itself is strict too', () => {
  const hydrating = files.filter((file) => /\b(hydrateRoot|createRoot)\(/.test(readSource(file)))
  expect(hydrating.length).toBeGreaterThan(1)
  expect(hydrating.filter((file) => !readSource(file).includes('<StrictMode>'))).toEqual([])
})

test('behavior: only what counts renders, or imports once, does without', () => {
  const loose = files.filter((file) => /reactStrictMode: fals[e]/.test(readSource(file)))
  expect(loose).toEqual([
    'test/components/checkout/useKnownTokens.test.tsx',
    'test/components/renders.test.tsx',
  ])
})
