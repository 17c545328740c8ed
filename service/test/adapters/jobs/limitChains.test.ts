import { expect, test } from 'vitest'
import { createSlots, type JobSlots } from '#adapters/jobs/jobSlots.js'
import { limitChains } from '#adapters/jobs/limitChains.js'
import { ServiceError } from '#base/errors.js'
import type { ChainPort } from '#base/ports/chain.js'
import { requireCalls } from '#holdings/transactions/actingWallet.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'

const timedOut = new ServiceError('chain-unavailable', 'it hung')

/** Runs everything that waits only for this process. */
const settle = () => new Promise(setImmediate)

/** A chain whose writes are sent and end when the test decides. */
const open = (maxTasks = 2, slots: JobSlots = createSlots(8)) => {
  let nowMs = 0
  const { port } = createFakeChain({ now: () => nowMs })
  const begun: { key: string; send: () => void; end: (error?: Error) => void }[] = []
  const write = <Result>(key: string, result: Result, options?: { onSent?: (() => void) | undefined }) =>
    new Promise<Result>((resolve, reject) => {
      const end = (error?: Error) => (error ? reject(error) : resolve(result))
      begun.push({ key, send: () => options?.onSent?.(), end })
    })
  port.mint = (key, _, options) => write(key, { status: 'succeeded', txId: key }, options)
  requireCalls(port).send = (key, _, options) => write(key, { status: 'success', txId: key }, options)
  const registry = { enabled: [port.chain], get: (name: string) => (name === port.chain ? port : undefined) }
  const options = { maxTasks, maxStuckWallets: 1, slowMs: 60_000 }
  const chains = limitChains(registry, () => nowMs, options)(slots)
  const chain = chains.get(port.chain)
  if (!chain) throw new Error('no chain')
  const input = { collection: { key: 'tea', standard: 'erc-721' as const }, tokens: [] }
  return {
    chains,
    chain,
    mint: (key: string) => chain.mint(key, input),
    /** A call of the wallet with a number. */
    call: (wallet: number, key: string) =>
      requireCalls(chain).send(key, {
        privateKey: new Uint8Array(32).fill(wallet),
        call: { to: '0x', value: 0n, data: '0x' },
        isSponsored: false,
      }),
    begun,
    keys: () => begun.map(({ key }) => key),
    /** Ends all writes, including those that start as others end. */
    endAll: async (writes: readonly Promise<unknown>[]) => {
      let isDone = false
      const done = Promise.all(writes).finally(() => {
        isDone = true
      })
      for (let at = 0; !isDone; at = Math.min(at + 1, begun.length)) {
        begun[at]?.end()
        await settle()
      }
      return done
    },
    skip: (ms: number) => {
      nowMs += ms
    },
  }
}

test('default: a place is held until the transaction is sent, not until it is final', async () => {
  const { mint, begun, keys, endAll } = open()
  const minted = ['one', 'two', 'three', 'four'].map(mint)
  await settle()
  expect(keys()).toEqual(['one', 'two'])
  begun[1]?.send()
  await settle()
  expect(keys()).toEqual(['one', 'two', 'three'])
  begun[0]?.end()
  await settle()
  expect(keys()).toEqual(['one', 'two', 'three', 'four'])
  await endAll(minted)
  expect(await Promise.all(minted)).toMatchObject([
    { txId: 'one' },
    { txId: 'two' },
    { txId: 'three' },
    { txId: 'four' },
  ])
})

test('behavior: tasks without a place wait, however long, in the order in which they came', async () => {
  const { mint, begun, keys, endAll, skip } = open()
  const minted = ['one', 'two', 'three', 'four', 'five'].map(mint)
  await settle()
  skip(3_600_000)
  // A write that arrives as a place becomes free does not overtake the waiting ones.
  begun[0]?.end()
  minted.push(mint('six'))
  await settle()
  expect(keys()).toEqual(['one', 'two', 'three'])
  await endAll(minted)
  expect(keys()).toEqual(['one', 'two', 'three', 'four', 'five', 'six'])
})

test('error: a write that fails frees its place once, also after it was sent', async () => {
  const { mint, begun, keys, endAll, skip } = open()
  const [one, ...others] = ['one', 'two', 'three', 'four', 'five'].map(mint)
  await settle()
  begun[0]?.send()
  skip(60_000)
  begun[0]?.end(timedOut)
  await expect(one).rejects.toBe(timedOut)
  await settle()
  expect(keys()).toEqual(['one', 'two', 'three'])
  await endAll(others)
})

test('behavior: many deliveries do not delay refunds', async () => {
  const { chain, mint, endAll } = open()
  const minted = ['one', 'two', 'three'].map(mint)
  const refund = { orderId: 'order', currency: 'eth', units: 1n, recipient: '0xaa' }
  expect(await chain.refund('back', refund)).toMatchObject({ status: 'succeeded' })
  await endAll(minted)
})

test('behavior: a chain that is not enabled is missing, and an enabled one is always the same object', () => {
  const { chains, chain } = open()
  expect(chains.get('solana')).toBeUndefined()
  expect(chains.get(chain.chain)).toBe(chain)
})

test('behavior: all concurrent tasks of one wallet have one place', async () => {
  const { call, begun, keys, endAll } = open()
  const calls = [call(1, 'one'), call(1, 'two'), call(2, 'three'), call(3, 'four')]
  await settle()
  expect(keys()).toEqual(['one', 'two', 'three'])
  // It keeps its place while any of its tasks runs.
  begun[0]?.end()
  await settle()
  expect(keys()).toHaveLength(3)
  begun[1]?.send()
  await settle()
  expect(keys()).toEqual(['one', 'two', 'three', 'four'])
  await endAll(calls)
})

test('behavior: wallets that got stuck share few places, and others overtake them', async () => {
  const { call, begun, keys, endAll, skip } = open()
  const stuck = [call(1, 'one'), call(2, 'two')]
  await settle()
  skip(60_000)
  for (const { end } of begun) end(timedOut)
  await Promise.all(stuck.map((one) => expect(one).rejects.toBe(timedOut)))
  const again = [call(1, 'three'), call(2, 'four'), call(3, 'five')]
  await settle()
  expect(keys().slice(2)).toEqual(['three', 'five'])
  // The cause may have blocked the other one too.
  begun[2]?.send()
  await settle()
  expect(keys().slice(2)).toEqual(['three', 'five', 'four'])
  await endAll(again)
})

test('behavior: a node that failed says nothing about a wallet', async () => {
  const { call, begun, keys, endAll, skip } = open()
  const away = new ServiceError('chain-unavailable', 'it is away', { isOutage: true })
  const failed = [call(1, 'one'), call(2, 'two')]
  await settle()
  skip(60_000)
  for (const { end } of begun) end(away)
  await Promise.all(failed.map((one) => expect(one).rejects.toBe(away)))
  const again = [call(1, 'three'), call(2, 'four')]
  await settle()
  expect(keys().slice(2)).toEqual(['three', 'four'])
  await endAll(again)
})

test.each([
  ['ready', 1],
  ['createCollection', 2],
  ['updateCollection', 2],
  ['mint', 2],
  ['updateToken', 2],
  ['refund', 1],
  ['payOutCredit', 1],
  ['sendUnattributed', 1],
  ['sweep', 1],
  ['wallets.operations.send', 2],
  ['wallets.calls.send', 2],
])(
  "behavior: %s has %i places, passes its input on, and returns the chain's result",
  async (path, places) => {
    const name = path.slice(path.lastIndexOf('.') + 1)
    /** The chain itself, or the part of it that has the function. */
    const ownerIn = (chain: ChainPort): object =>
      path
        .split('.')
        .slice(0, -1)
        .reduce<object>((part, key) => Reflect.get(part, key), chain)
    const { port } = createFakeChain({ now: () => 0 })
    const begun: unknown[][] = []
    const gates: (() => void)[] = []
    const write = async (...given: unknown[]) => {
      begun.push(given)
      await new Promise<void>((resolve) => gates.push(resolve))
      return `answer ${begun.indexOf(given)}`
    }
    Object.assign(ownerIn(port), { [name]: write })
    const registry = { enabled: [port.chain], get: () => port }
    const chain = limitChains(registry, () => 0, { maxTasks: 2 })(createSlots(8)).get(port.chain)
    if (!chain) throw new Error('no chain')
    const limited: unknown = Reflect.get(ownerIn(chain), name)
    if (typeof limited !== 'function') throw new Error(`no ${name}`)
    const inputs = [0, 1, 2].map((index) => ({
      privateKey: new Uint8Array(32).fill(index),
      operations: [{ sender: `0x${index}` }],
    }))
    const answers = inputs.map(
      (input, index): Promise<unknown> => Reflect.apply(limited, chain, [`key ${index}`, input, {}]),
    )
    await settle()
    expect(begun).toHaveLength(places)
    for (let index = 0; index < inputs.length; index++) {
      gates[index]?.()
      await settle()
    }
    expect(await Promise.all(answers)).toEqual(['answer 0', 'answer 1', 'answer 2'])
    if (name !== 'ready') {
      expect(begun.map(([key, input]) => [key, input])).toEqual(
        inputs.map((input, index) => [`key ${index}`, input]),
      )
    }
  },
)

test('behavior: a write whose caller ignores when it is sent frees its place as others do', async () => {
  const { chain, mint, begun, keys, endAll } = open(1)
  const input = { collection: { key: 'tea', standard: 'erc-721' as const }, tokens: [] }
  const minted = [chain.mint('one', input, {}), mint('two')]
  await settle()
  begun[0]?.send()
  await settle()
  expect(keys()).toEqual(['one', 'two'])
  await endAll(minted)
})

test('behavior: what a wallet does at once leaves the slot of its job once, until the last of it ends', async () => {
  const slots = createSlots(1)
  const { call, begun } = open(2, slots)
  expect(slots.takeFree()).toBe(1)
  const calls = [call(1, 'one'), call(1, 'two'), call(1, 'three')]
  await settle()
  // Another job takes it meanwhile.
  expect(slots.takeFree()).toBe(1)
  const ended: number[] = []
  for (const [at, one] of calls.entries()) void one.then(() => ended.push(at))
  begun[0]?.end()
  begun[1]?.end()
  await settle()
  expect(ended).toEqual([0, 1])
  begun[2]?.end()
  await settle()
  expect(ended).toEqual([0, 1])
  slots.giveBack(1)
  await settle()
  expect(ended).toEqual([0, 1, 2])
  expect(slots.takeFree()).toBe(0)
})
