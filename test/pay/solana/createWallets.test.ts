import { afterEach, describe, expect, test, vi } from 'vitest'
import { createMemoryStorage, type WebStorage } from '../../../src/chain/index.js'
import { createWallets } from '../../../src/pay/solana/createWallets.js'
import { createWindow } from '../../helpers/browserWindow.js'
import { failureOf } from '../../helpers/failureOf.js'
import { createScriptedSolanaWallet, createSolanaKey } from '../../helpers/scriptedSolanaWallet.js'

const chain = 'solana:localnet'
const newWallet = (name?: string) =>
  createScriptedSolanaWallet({ rpcUrl: 'http://node.test', ...(name !== undefined && { name }) })

/** The page of an app in a browser, whose storage outlives it. */
const openPage = (
  wallets: readonly ReturnType<typeof newWallet>[],
  storage: WebStorage = createMemoryStorage(),
) => {
  const browser = createWindow()
  for (const { wallet } of wallets) browser.announce(wallet)
  const connection = createWallets(chain, storage)
  const states: string[] = []
  const stop = browser.inside(() => connection.subscribe(() => states.push(connection.getState().status)))
  const choose = (name: string) => {
    const found = connection.getState().wallets.find((each) => each.name === name)
    if (!found) throw new Error(`no wallet ${name}`)
    return found
  }
  return {
    browser,
    connection,
    states,
    stop,
    choose,
    connect: (name = 'Scripted') => connection.connect(choose(name)),
  }
}

const later = () => {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

afterEach(() => {
  vi.useRealTimers()
})

describe('createWallets', () => {
  test('default: connects a wallet, and tells its account', async () => {
    const wallet = newWallet()
    const { connection, connect, states } = openPage([wallet])
    expect(connection.getState()).toMatchObject({ status: 'disconnected', address: undefined })
    expect(await connect()).toBe(wallet.key.address)
    expect(connection.getState()).toMatchObject({ status: 'connected', address: wallet.key.address })
    expect(states).toContain('connecting')
    expect(await connection.getConnected()).toEqual({ wallet: wallet.wallet, account: wallet.account })
  })

  test('behavior: a wallet that appears later is listed', () => {
    const wallet = newWallet()
    const { browser, connection } = openPage([])
    expect(connection.getState().wallets).toEqual([])
    browser.announce(wallet.wallet)
    expect(connection.getState().wallets).toEqual([wallet.wallet])
  })

  test('behavior: a wallet of another cluster, or that cannot pay or connect, is not listed', () => {
    const of = (change: object) => {
      const wallet = newWallet()
      return { ...wallet, wallet: { ...wallet.wallet, ...change } }
    }
    const { features } = newWallet().wallet
    const { 'standard:connect': _, ...others } = features
    const { connection } = openPage([
      of({ chains: ['solana:mainnet'] }),
      of({ features: { 'standard:connect': features['standard:connect'] } }),
      of({ features: others }),
    ])
    expect(connection.getState().wallets).toEqual([])
  })

  test('behavior: of several accounts, the one on this cluster pays', async () => {
    const wallet = newWallet()
    const other = { ...wallet.account, address: createSolanaKey().address, chains: ['solana:mainnet'] }
    wallet.script.accounts = [other, wallet.account]
    const { connect } = openPage([wallet])
    expect(await connect()).toBe(wallet.key.address)
  })

  test('error: pay.not-connected for a wallet without an account', async () => {
    const wallet = newWallet()
    wallet.script.accounts = []
    const { connection, connect } = openPage([wallet])
    expect((await failureOf(connect())).code).toBe('pay.not-connected')
    expect(connection.getState().status).toBe('disconnected')
  })

  test('error: a wallet that refuses to connect', async () => {
    const wallet = newWallet()
    wallet.script.onConnect = () => Promise.reject(new Error('rejected'))
    const { connection, connect } = openPage([wallet])
    await expect(connect()).rejects.toThrow('rejected')
    expect(connection.getState().status).toBe('disconnected')
    expect((await failureOf(connection.getConnected())).code).toBe('pay.not-connected')
  })

  test('error: pay.not-connected for a wallet that this browser does not have', async () => {
    const { connection } = openPage([newWallet()])
    const foreign = newWallet().wallet
    expect((await failureOf(connection.connect(foreign))).code).toBe('pay.not-connected')
  })
})

describe('after a reload', () => {
  test('behavior: the wallet is connected again, without asking', async () => {
    const [wallet, storage] = [newWallet(), createMemoryStorage()]
    await openPage([wallet], storage).connect()
    const asked: boolean[] = []
    wallet.script.onConnect = async (silent) => void asked.push(silent)
    const { connection } = openPage([newWallet('Another'), wallet], storage)
    expect(connection.getState().status).toBe('reconnecting')
    expect((await connection.getConnected()).account.address).toBe(wallet.key.address)
    expect(asked).toEqual([true])
  })

  test('behavior: a wallet that appears a little later is waited for', async () => {
    const [wallet, storage] = [newWallet(), createMemoryStorage()]
    await openPage([wallet], storage).connect()
    const { browser, connection } = openPage([], storage)
    const connected = connection.getConnected()
    browser.announce(wallet.wallet)
    expect((await connected).account.address).toBe(wallet.key.address)
  })

  test('behavior: a wallet that does not appear is given up after 5 seconds', async () => {
    const [wallet, storage] = [newWallet(), createMemoryStorage()]
    await openPage([wallet], storage).connect()
    vi.useFakeTimers()
    const { connection } = openPage([], storage)
    const failure = failureOf(connection.getConnected())
    await vi.advanceTimersByTimeAsync(5_000)
    expect((await failure).code).toBe('pay.not-connected')
    expect(connection.getState().status).toBe('disconnected')
  })

  test('behavior: a wallet that no longer knows this app stays disconnected', async () => {
    const [wallet, storage] = [newWallet(), createMemoryStorage()]
    await openPage([wallet], storage).connect()
    wallet.script.onConnect = () => Promise.reject(new Error('not authorised'))
    const { connection } = openPage([wallet], storage)
    expect((await failureOf(connection.getConnected())).code).toBe('pay.not-connected')
    expect(connection.getState().status).toBe('disconnected')
  })

  test('behavior: after disconnecting, nothing is connected again', async () => {
    const [wallet, storage] = [newWallet(), createMemoryStorage()]
    const { connection, connect } = openPage([wallet], storage)
    await connect()
    await connection.disconnect()
    expect(connection.getState()).toMatchObject({ status: 'disconnected', address: undefined })
    expect((await failureOf(connection.getConnected())).code).toBe('pay.not-connected')
    expect(openPage([wallet], storage).connection.getState().status).toBe('disconnected')
  })

  test('behavior: blocked storage forgets the wallet, and nothing else', async () => {
    const blocked = (): never => {
      throw new DOMException('denied', 'SecurityError')
    }
    const storage: WebStorage = { getItem: blocked, setItem: blocked, removeItem: blocked }
    const wallet = newWallet()
    const { connection, connect } = openPage([wallet], storage)
    expect(await connect()).toBe(wallet.key.address)
    await connection.disconnect()
    expect(connection.getState().status).toBe('disconnected')
  })
})

describe('another account', () => {
  test('behavior: is the one that pays from then on', async () => {
    const wallet = newWallet()
    const { connection, connect } = openPage([wallet])
    await connect()
    const other = { ...wallet.account, address: createSolanaKey().address }
    wallet.change([other])
    expect(connection.getState().address).toBe(other.address)
    expect((await connection.getConnected()).account).toEqual(other)
  })

  test('behavior: no account at all is a disconnection', async () => {
    const wallet = newWallet()
    const { connection, connect } = openPage([wallet])
    await connect()
    wallet.change([])
    expect(connection.getState()).toMatchObject({ status: 'disconnected', address: undefined })
  })

  test('behavior: of a wallet that is connected no more, changes nothing', async () => {
    const [first, second] = [newWallet('First'), newWallet('Second')]
    const { connection, connect } = openPage([first, second])
    await connect('First')
    await connect('Second')
    first.change([{ ...first.account, address: createSolanaKey().address }])
    expect(connection.getState().address).toBe(second.key.address)
    await connection.disconnect()
    second.change([second.account])
    expect(connection.getState().status).toBe('disconnected')
  })
})

describe('wallets that answer in another order', () => {
  test('behavior: the wallet that was chosen last pays', async () => {
    const [slow, quick] = [newWallet('Slow'), newWallet('Quick')]
    const { promise, resolve } = later()
    slow.script.onConnect = () => promise
    const { connection, connect } = openPage([slow, quick])
    const first = failureOf(connect('Slow'))
    expect(await connect('Quick')).toBe(quick.key.address)
    resolve()
    expect((await first).code).toBe('pay.not-connected')
    expect(connection.getState()).toMatchObject({ status: 'connected', address: quick.key.address })
  })

  test('behavior: a reconnection does not take the place of the wallet that the buyer chose meanwhile', async () => {
    const [old, chosen, storage] = [newWallet('Old'), newWallet('Chosen'), createMemoryStorage()]
    await openPage([old], storage).connect('Old')
    const { promise, resolve } = later()
    old.script.onConnect = () => promise
    const { connection, connect } = openPage([old, chosen], storage)
    await connect('Chosen')
    resolve()
    await promise
    await Promise.resolve()
    expect(connection.getState()).toMatchObject({ status: 'connected', address: chosen.key.address })
  })

  test('behavior: a wallet that connects after the buyer has disconnected stays disconnected', async () => {
    const wallet = newWallet()
    const { promise, resolve } = later()
    wallet.script.onConnect = () => promise
    const { connection, connect } = openPage([wallet])
    const connecting = failureOf(connect())
    await connection.disconnect()
    resolve()
    expect((await connecting).code).toBe('pay.not-connected')
    expect(connection.getState().status).toBe('disconnected')
  })

  test('behavior: a dialog that stays open holds a payment up for 5 seconds', async () => {
    const wallet = newWallet()
    wallet.script.onConnect = () => new Promise(() => {})
    const { connection, connect } = openPage([wallet])
    vi.useFakeTimers()
    void connect()
    const failure = failureOf(connection.getConnected())
    await vi.advanceTimersByTimeAsync(5_000)
    expect((await failure).code).toBe('pay.not-connected')
  })
})

test('behavior: on a server there are no wallets, and nothing breaks', async () => {
  const connection = createWallets(chain, createMemoryStorage())
  const stop = connection.subscribe(() => {})
  expect(connection.getState()).toEqual({ status: 'disconnected', wallets: [], address: undefined })
  expect((await failureOf(connection.getConnected())).code).toBe('pay.not-connected')
  stop()
})
