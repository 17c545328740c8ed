/** An account of a wallet. @source github.com/wallet-standard/wallet-standard */
export type StandardAccount = {
  address: string
  chains: readonly string[]
  features: readonly string[]
}

/** What a wallet is asked to sign: a transaction in wire format. */
export type SendInput = { account: StandardAccount; transaction: Uint8Array; chain: string; options?: object }

type Versioned = { version?: string; supportedTransactionVersions?: readonly unknown[] }

/** The features of a wallet that a payment uses. */
export type StandardFeatures = {
  'standard:connect'?: Versioned & {
    connect(input?: { silent?: boolean }): Promise<{ accounts: readonly StandardAccount[] }>
  }
  'standard:disconnect'?: Versioned & { disconnect(): Promise<void> }
  'standard:events'?: Versioned & {
    on(event: 'change', listener: (properties: { accounts?: readonly StandardAccount[] }) => void): () => void
  }
  'solana:signAndSendTransaction'?: Versioned & {
    signAndSendTransaction(...inputs: SendInput[]): Promise<readonly { signature: Uint8Array }[]>
  }
  'solana:signTransaction'?: Versioned & {
    signTransaction(...inputs: SendInput[]): Promise<readonly { signedTransaction: Uint8Array }[]>
  }
}

/** A wallet as Wallet Standard describes it. */
export type StandardWallet = {
  version?: string
  name: string
  icon: string
  chains: readonly string[]
  accounts: readonly StandardAccount[]
  features: StandardFeatures
}

type Api = { register(...wallets: StandardWallet[]): () => void }

const isApi = (value: unknown): value is Api =>
  typeof value === 'object' && value !== null && 'register' in value && typeof value.register === 'function'

/**
 * Finds the wallets of this browser, now and later. The events are the whole protocol; its own package asks for a
 * newer Node.js than apps have.
 *
 * @param onChange - Receives all wallets found so far.
 */
export const watchWallets = (onChange: (wallets: readonly StandardWallet[]) => void): void => {
  const wallets = new Set<StandardWallet>()
  const api: Api = {
    register: (...added) => {
      for (const wallet of added) wallets.add(wallet)
      onChange([...wallets])
      return () => {
        for (const wallet of added) wallets.delete(wallet)
        onChange([...wallets])
      }
    },
  }
  window.addEventListener('wallet-standard:register-wallet', (event) => {
    const callback: unknown = Reflect.get(event, 'detail')
    if (typeof callback === 'function') callback(api)
  })
  window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: api }))
}

/**
 * Registers a wallet with the page, as a browser extension does. A server has no page, so it does nothing there.
 *
 * @returns A function that removes it.
 */
export const registerWallet = (wallet: StandardWallet): (() => void) => {
  if (typeof window === 'undefined') return () => undefined
  const removals = new Set<() => void>()
  const register = (api: unknown): void => {
    if (isApi(api)) removals.add(api.register(wallet))
  }
  const onReady = (event: Event): void => register(Reflect.get(event, 'detail'))
  window.addEventListener('wallet-standard:app-ready', onReady)
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
  return () => {
    window.removeEventListener('wallet-standard:app-ready', onReady)
    for (const remove of removals) remove()
  }
}
