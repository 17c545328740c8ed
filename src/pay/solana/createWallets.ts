import type { WebStorage } from '../../chain/index.js'
import type { SolanaWallet, SolanaWalletState, SolanaWallets } from '../solanaPayments.js'
import { type StandardAccount, type StandardWallet, watchWallets } from './walletStandard.js'

/** The connected wallet and its account. */
export type Connected = { wallet: StandardWallet; account: StandardAccount }

/** The wallets of a browser, with what paying needs of them. */
export type ConnectedWallets = SolanaWallets & {
  /**
   * Waits until a reload's reconnection has ended.
   *
   * @throws {@link KassaError} `pay.not-connected`.
   */
  getConnected(): Promise<Connected>
}

// Loaded when it is thrown, because the messages of all errors would be most of what a page loads at first.
const notConnected = async (): Promise<Error> => {
  const { payError } = await import('../../errors/payError.js')
  return payError('pay.not-connected', {})
}

/** Where the name of the connected wallet is stored. */
export const storageKey = 'kassa.solana-wallet'
/** After a reload, how long a wallet may take to appear. */
const reconnectMs = 5_000

const initial: SolanaWalletState = {
  status: 'disconnected',
  wallets: [],
  wallet: undefined,
  address: undefined,
}

const canPay = ({ features, chains }: StandardWallet, chain: string): boolean =>
  'standard:connect' in features &&
  ('solana:signAndSendTransaction' in features || 'solana:signTransaction' in features) &&
  chains.includes(chain)

/**
 * Keeps the wallets of this browser and the connection to one of them, across reloads.
 *
 * @param chain - The cluster, such as `solana:mainnet`.
 */
export const createWallets = (chain: string, storage: WebStorage): ConnectedWallets => {
  const listeners = new Set<() => void>()
  let state = initial
  let connected: Connected | undefined
  let isStarted = false
  let stopEvents = (): void => undefined
  /** Counts the connections that were asked for, because only the last one counts, whichever wallet answers last. */
  let requests = 0
  let isReconnecting = false
  let found: readonly StandardWallet[] = []

  const set = (fields: Partial<SolanaWalletState>): void => {
    state = { ...state, ...fields }
    for (const listener of [...listeners]) listener()
  }

  /** Storage that is full or blocked forgets the wallet, and nothing else. */
  const remember = (name: string | undefined): void => {
    try {
      if (name === undefined) storage.removeItem(storageKey)
      else storage.setItem(storageKey, name)
    } catch {
      // The buyer connects again after a reload.
    }
  }
  const recall = (): string | null => {
    try {
      return storage.getItem(storageKey)
    } catch {
      return null
    }
  }

  const forget = (): void => {
    requests++
    stopEvents()
    connected = undefined
    set({ status: 'disconnected', wallet: undefined, address: undefined })
  }

  const useAccount = (wallet: StandardWallet, accounts: readonly StandardAccount[]): string | undefined => {
    const account = accounts.find(({ chains }) => chains.includes(chain)) ?? accounts[0]
    if (!account) return undefined
    connected = { wallet, account }
    set({ status: 'connected', wallet, address: account.address })
    return account.address
  }

  const open = async (wallet: StandardWallet, silent: boolean): Promise<string> => {
    const request = ++requests
    const { accounts } = (await wallet.features['standard:connect']?.connect(silent ? { silent } : {})) ?? {
      accounts: [],
    }
    if (request !== requests) throw await notConnected()
    const address = useAccount(wallet, accounts.length ? accounts : wallet.accounts)
    if (address === undefined) throw await notConnected()
    stopEvents()
    stopEvents =
      wallet.features['standard:events']?.on('change', (changed) => {
        if (connected?.wallet !== wallet || !changed.accounts) return
        if (changed.accounts.length) useAccount(wallet, changed.accounts)
        else forget()
      }) ?? (() => undefined)
    remember(wallet.name)
    return address
  }

  /** Connects the wallet of the last visit as soon as it has appeared. */
  const reconnect = (): void => {
    const wallet = found.find(({ name }) => name === recall())
    if (state.status !== 'reconnecting' || isReconnecting || !wallet) return
    isReconnecting = true
    void open(wallet, true).catch(() => {
      if (state.status === 'reconnecting') forget()
    })
  }

  const start = (): void => {
    if (isStarted || typeof window === 'undefined') return
    isStarted = true
    if (recall() !== null) {
      set({ status: 'reconnecting' })
      setTimeout(() => {
        if (state.status === 'reconnecting') forget()
      }, reconnectMs)
    }
    watchWallets((wallets) => {
      // One that registers twice is listed once.
      const isFirst = ({ name }: StandardWallet, at: number): boolean =>
        usable.findIndex((other) => other.name === name) === at
      const usable = wallets.filter((wallet) => canPay(wallet, chain))
      found = usable.filter(isFirst)
      set({ wallets: found })
      reconnect()
    })
  }

  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener)
    start()
    return () => listeners.delete(listener)
  }

  const connect = async (chosen: SolanaWallet): Promise<string> => {
    const wallet = found.find((other) => other === chosen)
    if (!wallet) throw await notConnected()
    set({ status: 'connecting' })
    const opening = open(wallet, false)
    const request = requests
    try {
      return await opening
    } catch (error) {
      // A wallet that was chosen later is not affected.
      if (request === requests) forget()
      throw error
    }
  }

  return {
    getState: () => state,
    subscribe,
    connect,
    disconnect: async () => {
      const wallet = connected?.wallet
      remember(undefined)
      forget()
      await wallet?.features['standard:disconnect']?.disconnect()
    },
    getConnected: async () => {
      start()
      if (state.status === 'reconnecting' || state.status === 'connecting') {
        await new Promise<void>((resolve) => {
          const finish = (): void => {
            clearTimeout(timer)
            stop()
            resolve()
          }
          // A buyer who leaves the wallet's dialog open must not keep the order's lock.
          const timer = setTimeout(finish, reconnectMs)
          const stop = subscribe(() => {
            if (state.status !== 'reconnecting' && state.status !== 'connecting') finish()
          })
        })
      }
      if (!connected || state.status !== 'connected') throw await notConnected()
      return connected
    },
  }
}
