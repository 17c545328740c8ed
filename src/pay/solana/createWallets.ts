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

/** Whether a wallet has been asked to connect and has not answered. */
const isConnecting = ({ status }: SolanaWalletState): boolean =>
  status === 'reconnecting' || status === 'connecting'

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

/** The state that all subscribers share. */
const createStore = () => {
  const listeners = new Set<() => void>()
  let state = initial
  return {
    get: () => state,
    set: (fields: Partial<SolanaWalletState>): void => {
      state = { ...state, ...fields }
      for (const listener of [...listeners]) listener()
    },
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

type Store = ReturnType<typeof createStore>

/** Waits for the answer of a wallet that is connecting, if it comes in time. */
const waitForAnswer = ({ get, subscribe }: Store): Promise<void> =>
  new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    const check = (): void => {
      if (!isConnecting(get())) finish()
    }
    // A buyer who leaves the wallet's dialog open must not keep the order's lock.
    const timer = setTimeout(finish, reconnectMs)
    const stop = subscribe(check)
    check()
  })

/** The connection to the wallet that was chosen last. */
const createConnection = (chain: string, storage: WebStorage, { set }: Store) => {
  let connected: Connected | undefined
  let stopEvents: (() => void) | undefined
  /** Counts the connections that were asked for, because only the last one counts, whichever wallet answers last. */
  let requests = 0

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
  }

  const connect = async (wallet: StandardWallet): Promise<string> => {
    set({ status: 'connecting' })
    const opening = open(wallet, {})
    const request = requests
    try {
      return await opening
    } catch (error) {
      // A wallet that was chosen later is not affected.
      if (request === requests) forget()
      throw error
    }
  }

  const disconnect = async (): Promise<void> => {
    const wallet = connected?.wallet
    remember(storage, undefined)
    forget()
    await wallet?.features['standard:disconnect']?.disconnect()
  }

  return { get: () => connected, open, connect, disconnect, forget }
}

/**
 * Keeps the wallets of this browser and the connection to one of them, across reloads.
 *
 * @param chain - The cluster, such as `solana:mainnet`.
 */
export const createWallets = (chain: string, storage: WebStorage): ConnectedWallets => {
  const store = createStore()
  const connection = createConnection(chain, storage, store)
  let isStarted = false
  let isReconnecting = false
  let found: readonly StandardWallet[] = []

  const giveUp = (): void => {
    if (store.get().status === 'reconnecting') connection.forget()
  }

  /** Connects the wallet of the last visit as soon as it has appeared. */
  const reconnect = (): void => {
    const wallet = found.find(({ name }) => name === recall(storage))
    if (store.get().status !== 'reconnecting' || isReconnecting || !wallet) return
    isReconnecting = true
    void connection.open(wallet, { silent: true }).catch(giveUp)
  }

  const start = (): void => {
    if (isStarted || typeof window === 'undefined') return
    isStarted = true
    if (recall(storage) !== null) {
      store.set({ status: 'reconnecting' })
      setTimeout(giveUp, reconnectMs)
    }
    watchWallets((wallets) => {
      const usable = wallets.filter((wallet) => canPay(wallet, chain))
      // One that registers twice is listed once.
      found = usable.filter(({ name }, at) => usable.findIndex((other) => other.name === name) === at)
      store.set({ wallets: found })
      reconnect()
    })
  }

  return {
    getState: store.get,
    subscribe: (listener) => {
      const stop = store.subscribe(listener)
      start()
      return stop
    },
    connect: async (chosen) => {
      const wallet = found.find((other) => other === chosen)
      if (!wallet) throw await notConnected()
      return connection.connect(wallet)
    },
    disconnect: connection.disconnect,
    getConnected: async () => {
      start()
      await waitForAnswer(store)
      const connected = connection.get()
      if (!connected || store.get().status !== 'connected') throw await notConnected()
      return connected
    },
  }
}
