import type { BrowserContext } from 'playwright'
import { ProviderError } from '../../helpers/scriptedWallet.js'
import { walletName } from './announceWallet.js'
import type { OutsideSolanaWallet, SolanaCall } from './outsideSolanaWallet.js'

type Answer = { result: unknown } | { error: { code: number; message: string } }

const eventName = 'outside-solana-wallet'

const toAnswer = async (wallet: OutsideSolanaWallet, call: SolanaCall): Promise<Answer> => {
  try {
    return { result: await wallet.request(call) }
  } catch (error) {
    const code = error instanceof ProviderError ? error.code : -32603
    return { error: { code, message: error instanceof Error ? error.message : String(error) } }
  }
}

/** Runs in every page: the wallet that the page sees, and its registration (Wallet Standard). */
const announce = (given: { name: string; eventName: string }): void => {
  type Account = { address: string; chains: string[]; features: string[] }
  type Listener = (properties: { accounts: readonly Account[] }) => void
  const ask = Reflect.get(window, 'askOutsideSolanaWallet') as (call: unknown) => Promise<Answer>
  const listeners = new Set<Listener>()
  let accounts: Account[] = []
  const chains = ['solana:localnet']
  const setAccounts = (addresses: readonly string[]): void => {
    const features = ['solana:signTransaction']
    accounts = addresses.map((address) => ({ address, publicKey: new Uint8Array(32), chains, features }))
  }
  const call = async (asked: unknown): Promise<unknown> => {
    const answer = await ask(asked)
    if ('result' in answer) return answer.result
    throw Object.assign(new Error(answer.error.message), { code: answer.error.code })
  }
  const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
  const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (each) => each.charCodeAt(0))
  const wallet = {
    version: '1.0.0',
    name: given.name,
    icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>',
    chains,
    get accounts() {
      return accounts
    },
    features: {
      'standard:connect': {
        version: '1.0.0',
        connect: async ({ silent = false } = {}) => {
          setAccounts((await call({ method: 'connect', silent })) as string[])
          return { accounts }
        },
      },
      'standard:disconnect': {
        version: '1.0.0',
        disconnect: async () => setAccounts((await call({ method: 'disconnect' })) as string[]),
      },
      'standard:events': {
        version: '1.0.0',
        on: (_event: 'change', listener: Listener) => {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
      },
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: ['legacy', 0],
        signTransaction: async ({ account, transaction }: { account: Account; transaction: Uint8Array }) => {
          const asked = { method: 'sign', address: account.address, transaction: toBase64(transaction) }
          return [{ signedTransaction: fromBase64((await call(asked)) as string) }]
        },
      },
    },
  }
  window.addEventListener(given.eventName, (event) => {
    setAccounts((event as CustomEvent<string[]>).detail)
    for (const listener of listeners) listener({ accounts })
  })
  const register = (api: { register(added: unknown): void }): void => api.register(wallet)
  window.addEventListener('wallet-standard:app-ready', (event) =>
    register((event as CustomEvent<{ register(added: unknown): void }>).detail),
  )
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
}

/** Registers a Solana wallet with every page of a browser. */
export const announceSolanaWallet = async (
  context: BrowserContext,
  wallet: OutsideSolanaWallet,
): Promise<void> => {
  await context.exposeBinding('askOutsideSolanaWallet', (_source, call: SolanaCall) => toAnswer(wallet, call))
  await context.addInitScript(announce, { name: walletName, eventName })
  wallet.onChange((addresses) => {
    for (const page of context.pages()) {
      void page
        .evaluate(([name, detail]) => void window.dispatchEvent(new CustomEvent(name, { detail })), [
          eventName,
          addresses,
        ] as const)
        // A closed page hears nothing.
        .catch(() => undefined)
    }
  })
}
