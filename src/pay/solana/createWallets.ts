import type { WebStorage } from '../../chain/index.js'
import type { SolanaWalletState, SolanaWallets } from '../solanaPayments.js'
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

/** Storage that is full or blocked forgets the wallet, and nothing else. */
const remember = (storage: WebStorage, name: string | undefined): void => {
  try {
    if (name === undefined) storage.removeItem(storageKey)
    else storage.setItem(storageKey, name)
  } catch {
    // The buyer connects again after a reload.
  }
}

const recall = (storage: WebStorage): string | null => {
  try {
    return storage.getItem(storageKey)
  } catch {
    return null
  }
}

/** The connection to the wallet that was chosen last, with the state that all subscribers share. */
const createConnection = (chain: string, storage: WebStorage) => {
  const listeners = new Set<() => void>()
  let state = initial
  let connected: Connected | undefined
  let stopEvents: (() => void) | undefined
  /** Counts the connections that were asked for, because only the last one counts, whichever wallet answers last. */
  let requests = 0

  const set = (fields: Partial<SolanaWalletState>): void => {
    state = { ...state, ...fields }
    for (const listener of [...listeners]) listener()
  }

  const forget = (): void => {
    requests++
    stopEvents?.()
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

  const open = async (wallet: StandardWallet, options: { silent?: boolean }): Promise<string> => {
    const request = ++requests
    try {
      const answer = await wallet.features['standard:connect']?.connect(options)
      const accounts = answer?.accounts.length ? answer.accounts : wallet.accounts
      const address = request === requests ? useAccount(wallet, accounts) : undefined
      if (address === undefined) throw await notConnected()
      stopEvents?.()
      stopEvents = wallet.features['standard:events']?.on('change', (changed) => {
        if (connected?.wallet !== wallet || !changed.accounts) return
        if (changed.accounts.length) useAccount(wallet, changed.accounts)
        else forget()
      })
      remember(storage, wallet.name)
      return address
    } catch (error) {
      // A wallet that was chosen later is not affected.
      if (request === requests) forget()
      throw error
    }
  }

  return {
    getState: () => state,
    getConnected: () => connected,
    set,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    open,
    disconnect: async (): Promise<void> => {
      const wallet = connected?.wallet
      remember(storage, undefined)
      forget()
      await wallet?.features['standard:disconnect']?.disconnect()
    },
    forget,
  }
}

/** Waits for the answer of a wallet that is connecting, if it comes in time. */
const waitForAnswer = ({
  getState,
  subscribe,
}: Pick<SolanaWallets, 'getState' | 'subscribe'>): Promise<void> =>
  new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    const check = (): void => {
      const { status } = getState()
      if (status !== 'reconnecting' && status !== 'connecting') finish()
    }
    // A buyer who leaves the wallet's dialog open must not keep the order's lock.
    const timer = setTimeout(finish, reconnectMs)
    const stop = subscribe(check)
    check()
  })

/**
 * Keeps the wallets of this browser and the connection to one of them, across reloads.
 *
 * @param chain - The cluster, such as `solana:mainnet`.
 */
export const createWallets = (chain: string, storage: WebStorage): ConnectedWallets => {
  const connection = createConnection(chain, storage)
  const { getState, set, subscribe, open, disconnect, forget } = connection
  let isStarted = false
  let found: readonly StandardWallet[] = []

  const giveUp = (): void => {
    if (getState().status === 'reconnecting') forget()
  }

  const start = (): void => {
    if (isStarted || typeof window === 'undefined') return
    isStarted = true
    let last = recall(storage)
    if (last !== null) {
      set({ status: 'reconnecting' })
      setTimeout(giveUp, reconnectMs)
    }
    watchWallets((wallets) => {
      const usable = wallets.filter((wallet) => canPay(wallet, chain))
      // One that registers twice is listed once.
      found = usable.filter(({ name }, at) => usable.findIndex((other) => other.name === name) === at)
      set({ wallets: found })
      // The wallet of the last visit is connected as soon as it has appeared.
      const wallet = found.find(({ name }) => name === last)
      if (!wallet || getState().status !== 'reconnecting') return
      last = null
      void open(wallet, { silent: true }).catch(() => undefined)
    })
  }

  return {
    getState,
    subscribe: (listener) => {
      const stop = subscribe(listener)
      start()
      return stop
    },
    connect: async (chosen) => {
      const wallet = found.find((other) => other === chosen)
      if (!wallet) throw await notConnected()
      set({ status: 'connecting' })
      return open(wallet, {})
    },
    disconnect,
    getConnected: async () => {
      start()
      await waitForAnswer(connection)
      const connected = connection.getConnected()
      if (!connected || getState().status !== 'connected') throw await notConnected()
      return connected
    },
  }
}
