import { QueryClient } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import { baseSepolia } from 'viem/chains'
import { describe, expect, test } from 'vitest'
import { createConfig, createStorage, http } from 'wagmi'
import { createPaymentAttemptStore, openStorage, type PaymentAttempt } from '../src/chain/index.js'
import { readLayout, storeLayout } from '../src/devtools/panel/layout.js'
import { useOrderSession } from '../src/hooks/useOrderSession.js'
import { createWalletStore } from '../src/sandbox/evm/walletStore.js'
import { createAttemptStore } from '../src/wallet/attempt.js'
import { forgetTransactions } from '../src/wallet/forgetTransactions.js'
import { forbidStorage, prohibitionKinds } from './helpers/forbidStorage.js'
import { listSources, readSource } from './helpers/sources.js'

const transaction = { params: {}, key: 'k', wallet: '0x1', startedAtMs: Date.now() }

/** Each file that uses the browser's storage, and what must go on where it is forbidden. */
const uses: Record<string, () => void> = {
  'src/chain/attemptStore.ts': () => {
    const storage = openStorage()
    storage.setItem('name', 'value')
    expect(storage.getItem('name')).toBe('value')
    storage.removeItem('name')
    expect(storage.getItem('name')).toBe(null)
    const attempt: PaymentAttempt = {
      id: 'a',
      orderId: 'o',
      chainId: 84532,
      payerAddress: '0x2222222222222222222222222222222222222222',
      to: '0x1111111111111111111111111111111111111111',
      data: '0x',
      valueWei: '12',
      attemptedAtMs: 1,
    }
    const attemptStore = createPaymentAttemptStore()
    attemptStore.put(attempt)
    expect(attemptStore.list('o').map(({ id }) => id)).toEqual(['a'])
  },
  'src/hooks/useOrderSession.ts': () => {
    for (const storage of ['session', 'local'] as const) {
      const { result } = renderHook(() => useOrderSession({ storage }))
      expect(result.current[0]).toBe(undefined)
      act(() => result.current[1]({ orderId: 'o', clientSecret: 'c' }))
      expect(result.current[0]).toEqual({ orderId: 'o', clientSecret: 'c' })
      act(() => result.current[1](undefined))
      expect(result.current[0]).toBe(undefined)
    }
  },
  'src/wallet/attempt.ts': () => {
    const store = createAttemptStore('test', Date.now)
    store.put(transaction as never)
    expect(store.get()?.key).toBe('k')
  },
  'src/wallet/forgetTransactions.ts': () => forgetTransactions(new QueryClient()),
  'src/devtools/panel/layout.ts': () => {
    storeLayout({ isOpen: true, bottom: 1, right: 1 })
    expect(readLayout(false)).toMatchObject({ isOpen: false })
  },
}

const withoutComments = (source: string): string =>
  source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')

test('default', () => {
  const sources = [...listSources('src', /\.tsx?$/), ...listSources('examples', /\.tsx?$/)]
  const using = sources.filter(
    (path) =>
      !/\/test\//.test(path) &&
      /\b(localStorage|sessionStorage|indexedDB)\b/.test(withoutComments(readSource(path))),
  )
  expect(using).toEqual(Object.keys(uses).sort())
})

describe.each(prohibitionKinds)('behavior: the purchase goes on with %s', (kind) => {
  test.each(Object.entries(uses))('%s', (_path, use) => {
    forbidStorage(kind)
    use()
  })

  test('the sandbox wallet keeps its account as long as the page', () => {
    forbidStorage(kind)
    const store = createWalletStore()
    const { address } = store.getAccount()
    expect(store.getAccount().address).toBe(address)
    store.setPermitted(true)
    expect(store.isPermitted()).toBe(true)
  })

  test('wagmi remembers the wallet as long as the page', async () => {
    forbidStorage(kind)
    const config = createConfig({
      chains: [baseSepolia],
      storage: createStorage({ storage: openStorage() }),
      transports: { [baseSepolia.id]: http('http://127.0.0.1:1') },
    })
    await config.storage?.setItem('recentConnectorId', 'meadow')
    expect(await config.storage?.getItem('recentConnectorId')).toBe('meadow')
  })
})

test.each([
  'docs/nextjs.md',
  'docs/vite.md',
  'docs/rainbowkit.md',
  'examples/rainbowkit/src/main.tsx',
  'examples/vite/src/main.tsx',
  'examples/next/lib/wagmiConfig.ts',
])('behavior: wagmi gets a storage that is never forbidden: %s', (path) => {
  const source = readSource(path)
  expect(source).toMatch(/createStorage\(\{ storage: openStorage\(\) \}\)/)
  for (const [call] of source.matchAll(/createConfig\(\{[\s\S]*?\}\)/g)) expect(call).toMatch(/\bstorage\b/)
})
