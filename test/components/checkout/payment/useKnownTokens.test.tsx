import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { knownTokens } from '../../../../src/chain/evm/knownTokens.js'
import { useKnownTokens } from '../../../../src/components/checkout/payment/useKnownTokens.js'

const table = '../../../../src/chain/evm/knownTokens.js'

afterEach(() => {
  cleanup()
  vi.doUnmock(table)
  vi.resetModules()
})

const load = () => act(() => vi.dynamicImportSettled())

test('default', async () => {
  const { result } = renderHook(useKnownTokens)
  expect(result.current).toBeUndefined()
  await load()
  expect(result.current).toEqual(knownTokens)
})

test('behavior: does without them where they cannot be loaded', async () => {
  vi.doMock(table, () => {
    throw new TypeError('Failed to fetch dynamically imported module')
  })
  // Once: asked for again, the runner has the real one.
  const { result } = renderHook(useKnownTokens, { reactStrictMode: false })
  await load()
  expect(result.current).toBeUndefined()
})
