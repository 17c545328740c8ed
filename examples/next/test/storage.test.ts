import { openStorage } from 'kassa/chain'
import { afterEach, expect, test, vi } from 'vitest'
import { createDemoProvider } from '../lib/demoWallet/provider'
import { createSolanaDemo } from '../lib/demoWallet/solana/solanaWallet'
import { createWagmiConfig } from '../lib/wagmiConfig'
import { baseSepolia } from './helpers/baseSepolia'

const confirm = async () => true

afterEach(() => {
  vi.unstubAllGlobals()
})

test('behavior: where the browser forbids storage, the shop opens, and its wallets last as long as the page', async () => {
  const refuse = () => {
    throw new DOMException('Access is denied for this document.', 'SecurityError')
  }
  const page = Object.create(globalThis, { localStorage: { get: refuse }, sessionStorage: { get: refuse } })
  vi.stubGlobal('window', page)
  Object.defineProperty(globalThis, 'localStorage', { configurable: true, get: refuse })
  try {
    expect(createWagmiConfig([baseSepolia], [])?.storage).toBeDefined()
    const storage = openStorage()
    const demo = createDemoProvider({ networks: [baseSepolia], storage, confirm })
    const [account] = (await demo.request({ method: 'eth_requestAccounts' })) as string[]
    expect(account).toMatch(/^0x/)
    expect(await demo.request({ method: 'eth_accounts' })).toEqual([account])
    const solana = createSolanaDemo({
      network: { ...baseSepolia, family: 'solana', name: 'solana', operator: undefined, tokens: {} },
      storage,
      confirm,
    })
    expect(solana.wallet.accounts).toEqual([])
  } finally {
    Reflect.deleteProperty(globalThis, 'localStorage')
  }
})
