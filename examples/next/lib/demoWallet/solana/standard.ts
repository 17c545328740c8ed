/** An account of a wallet, as Wallet Standard describes it. */
export type StandardAccount = {
  address: string
  publicKey: Uint8Array
  chains: readonly string[]
  features: readonly string[]
}

/** What a wallet is asked to sign. */
export type SignInput = { account: StandardAccount; transaction: Uint8Array; chain?: string }

/** A wallet as Wallet Standard describes it, with the features of the demo wallet. */
export type StandardWallet = {
  version: '1.0.0'
  name: string
  icon: string
  chains: readonly string[]
  readonly accounts: readonly StandardAccount[]
  features: {
    'standard:connect': {
      version: '1.0.0'
      connect(input?: { silent?: boolean }): Promise<{ accounts: readonly StandardAccount[] }>
    }
    'standard:disconnect': { version: '1.0.0'; disconnect(): Promise<void> }
    'standard:events': { version: '1.0.0'; on(event: 'change', listener: ChangeListener): () => void }
    'solana:signTransaction': {
      version: '1.0.0'
      supportedTransactionVersions: readonly ('legacy' | 0)[]
      signTransaction(...inputs: SignInput[]): Promise<{ signedTransaction: Uint8Array }[]>
    }
    'solana:signAndSendTransaction': {
      version: '1.0.0'
      supportedTransactionVersions: readonly ('legacy' | 0)[]
      signAndSendTransaction(...inputs: SignInput[]): Promise<{ signature: Uint8Array }[]>
    }
  }
}

/** Receives a wallet's changed properties. */
export type ChangeListener = (properties: { accounts: readonly StandardAccount[] }) => void

type Api = { register(wallet: StandardWallet): () => void }

const isApi = (value: unknown): value is Api =>
  typeof value === 'object' && value !== null && 'register' in value && typeof value.register === 'function'

/**
 * Makes a wallet known to every app on this page, also to those that look for wallets later.
 *
 * @returns Withdraws it.
 */
export const registerWallet = (wallet: StandardWallet): (() => void) => {
  const withdrawals: (() => void)[] = []
  const register = (api: unknown): void => {
    if (isApi(api)) withdrawals.push(api.register(wallet))
  }
  const onReady = (event: Event): void => register(Reflect.get(event, 'detail'))
  window.addEventListener('wallet-standard:app-ready', onReady)
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
  return () => {
    window.removeEventListener('wallet-standard:app-ready', onReady)
    for (const withdraw of withdrawals) withdraw()
  }
}
