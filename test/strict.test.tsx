import { act, cleanup, render, renderHook } from '@testing-library/react'
import { useEffect } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { hydrate } from './helpers/hydrate.js'
import { listSources, readImports, readSource } from './helpers/sources.js'

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

test('behavior: what takes over a page of the server’s is strict too', async () => {
  const effect = vi.fn()
  const Subject = () => {
    useEffect(effect, [])
    return null
  }
  const root = await hydrate(document.createElement('div'), <Subject />)
  expect(effect).toHaveBeenCalledTimes(2)
  act(() => root.unmount())
  const others = files.filter((file) => readImports(readSource(file)).includes('react-dom/client'))
  expect(others).toEqual(['test/helpers/hydrate.tsx'])
})

test('behavior: only what counts renders, or imports once, does without', () => {
  const loose = files.filter((file) => /reactStrictMode: fals[e]/.test(readSource(file)))
  expect(loose).toEqual([
    'test/components/checkout/payment/useKnownTokens.test.tsx',
    'test/components/renders.test.tsx',
    'test/console/dialogs.test.tsx',
  ])
})
