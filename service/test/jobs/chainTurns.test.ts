import { expect, test } from 'vitest'
import { ServiceError } from '../../src/errors.js'
import { createChainTurns } from '../../src/jobs/chainTurns.js'
import { createFakeChain } from '../helpers/createFakeChain.js'

/** A chain whose writes end when they are told to. */
const open = (most = 2) => {
  let nowMs = 0
  const { port, state } = createFakeChain({ now: () => nowMs })
  const ends: ((error?: Error) => void)[] = []
  port.mint = (key) =>
    new Promise((resolve, reject) => {
      ends.push((error) => (error ? reject(error) : resolve({ status: 'succeeded', txId: key })))
    })
  port.wallets.sendCall = (key) =>
    new Promise((resolve, reject) => {
      ends.push((error) => (error ? reject(error) : resolve({ status: 'success', txId: key })))
    })
  const registry = { enabled: [port.chain], get: (name: string) => (name === port.chain ? port : undefined) }
  const options = { most, mostWhenFailing: 1, slowMs: 60_000 }
  const chains = createChainTurns(registry, () => nowMs, options)
  const chain = chains.get(port.chain)
  if (!chain) throw new Error('no chain')
  const input = { collection: { key: 'tea', standard: 'erc-721' as const }, tokens: [] }
  return {
    chains,
    chain,
    state,
    mint: (key: string) => chain.mint(key, input),
    /** A call of the wallet of a number. */
    call: (wallet: number, key: string) =>
      chain.wallets.sendCall(key, {
        privateKey: new Uint8Array(32).fill(wallet),
        call: { to: '0x', value: 0n, data: '0x' },
        isSponsored: false,
      }),
    ends,
    skip: (ms: number) => {
      nowMs += ms
    },
  }
}

const refused = { code: 'chain-unavailable', message: expect.stringContaining('is slow') }
const hung = new ServiceError('chain-unavailable', 'it hung')

test('default: who finds no place waits for one', async () => {
  const { mint, ends } = open()
  const minted = ['one', 'two', 'three'].map(mint)
  expect(ends).toHaveLength(2)
  ends[0]?.()
  await expect.poll(() => ends.length).toBe(3)
  for (const end of ends) end()
  expect(await Promise.all(minted)).toMatchObject([{ txId: 'one' }, { txId: 'two' }, { txId: 'three' }])
})

test('error: nobody waits for a place at a slow chain', async () => {
  const { mint, ends, skip } = open()
  const minted = ['one', 'two'].map(mint)
  skip(60_000)
  await expect(mint('three')).rejects.toMatchObject(refused)
  for (const end of ends) end()
  await Promise.all(minted)
  const next = mint('three')
  ends[2]?.()
  expect(await next).toMatchObject({ txId: 'three' })
})

test('behavior: after one that came to no end there are fewer places, until one does', async () => {
  const { chain, mint, ends, skip } = open()
  const first = mint('one')
  skip(60_000)
  ends[0]?.(hung)
  await expect(first).rejects.toBe(hung)
  // That the node answers tells nothing, nor that the contract is there.
  await chain.ready()
  const terms = { name: '', symbol: '', uri: '', supplyLimit: 0n, transferable: true }
  await chain.createCollection('tea', { collection: { key: 'tea', standard: 'erc-721' }, terms })
  const second = mint('two')
  await expect(mint('three')).rejects.toMatchObject(refused)
  ends[1]?.()
  await second
  const both = ['three', 'four'].map(mint)
  expect(ends).toHaveLength(4)
  for (const end of ends) end()
  await Promise.all(both)
})

test('behavior: whoever waits when one comes to no end goes too', async () => {
  const { mint, ends, skip } = open()
  const [one, two, three] = ['one', 'two', 'three'].map(mint)
  skip(60_000)
  ends[0]?.(hung)
  await expect(one).rejects.toBe(hung)
  await expect(three).rejects.toMatchObject(refused)
  ends[1]?.()
  await two
})

test('behavior: what fails at once leaves the others their places', async () => {
  const { mint, ends } = open()
  const first = mint('one')
  ends[0]?.(hung)
  await expect(first).rejects.toBe(hung)
  const both = ['two', 'three'].map(mint)
  expect(ends).toHaveLength(3)
  for (const end of ends) end()
  await Promise.all(both)
})

test('behavior: a run on goods keeps no refund waiting', async () => {
  const { chain, mint, ends } = open()
  const minted = ['one', 'two', 'three'].map(mint)
  const refund = { orderId: 'order', currency: 'eth', units: 1n, recipient: '0xaa' }
  expect(await chain.refund('back', refund)).toMatchObject({ status: 'succeeded' })
  for (const end of ends) end()
  await expect.poll(() => ends.length).toBe(3)
  ends[2]?.()
  await Promise.all(minted)
})

test('behavior: a chain that is not enabled is none, and one is always the same', () => {
  const { chains, chain } = open()
  expect(chains.get('solana')).toBeUndefined()
  expect(chains.get(chain.chain)).toBe(chain)
})

test('behavior: all that one wallet does at once has one place', async () => {
  const { call, ends } = open()
  const calls = [call(1, 'one'), call(1, 'two'), call(1, 'three'), call(2, 'four'), call(3, 'five')]
  expect(ends).toHaveLength(4)
  // It keeps its place while it does anything.
  ends[0]?.()
  await calls[0]
  expect(ends).toHaveLength(4)
  ends[3]?.()
  await expect.poll(() => ends.length).toBe(5)
  for (const end of ends) end()
  expect(await Promise.all(calls)).toHaveLength(5)
})

test('behavior: a wallet that comes to no end leaves the others their places', async () => {
  const { call, ends, skip } = open(3)
  const stuck = [call(1, 'one'), call(2, 'two')]
  skip(60_000)
  for (const end of ends) end(hung)
  for (const one of stuck) await expect(one).rejects.toBe(hung)
  // Those that came to none share few.
  const again = call(1, 'one')
  await expect(call(2, 'two')).rejects.toMatchObject(refused)
  const others = [call(3, 'three'), call(4, 'four')]
  expect(ends).toHaveLength(5)
  for (const end of ends) end()
  expect(await Promise.all([again, ...others])).toHaveLength(3)
  // What held one up may have held up the other.
  const all = [call(1, 'five'), call(2, 'six')]
  expect(ends).toHaveLength(7)
  for (const end of ends) end()
  await Promise.all(all)
})

test('behavior: beside a slow one, quick ones are waited for', async () => {
  const { call, ends, skip } = open()
  const slow = call(1, 'slow')
  skip(59_000)
  const quick = call(2, 'quick')
  skip(1_000)
  const next = call(3, 'next')
  ends[1]?.()
  await quick
  await expect.poll(() => ends.length).toBe(3)
  for (const end of ends) end()
  expect(await Promise.all([slow, next])).toMatchObject([{ txId: 'slow' }, { txId: 'next' }])
})

test('behavior: after a node that failed there are fewer places for all wallets', async () => {
  const { call, ends, skip } = open()
  const away = new ServiceError('chain-unavailable', 'it is away', { isOutage: true })
  const first = call(1, 'one')
  skip(60_000)
  ends[0]?.(away)
  await expect(first).rejects.toBe(away)
  const second = call(2, 'two')
  await expect(call(3, 'three')).rejects.toMatchObject(refused)
  ends[1]?.()
  await second
})
