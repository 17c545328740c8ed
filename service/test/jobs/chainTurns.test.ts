import { expect, test } from 'vitest'
import { ServiceError } from '../../src/errors.js'
import { createChainTurns } from '../../src/jobs/chainTurns.js'
import { createFakeChain } from '../helpers/createFakeChain.js'

/** A chain whose writes end when they are told to. */
const open = () => {
  let nowMs = 0
  const { port, state } = createFakeChain({ now: () => nowMs })
  const ends: ((error?: Error) => void)[] = []
  port.mint = (key) =>
    new Promise((resolve, reject) => {
      ends.push((error) => (error ? reject(error) : resolve({ status: 'succeeded', txId: key })))
    })
  const registry = { enabled: [port.chain], get: (name: string) => (name === port.chain ? port : undefined) }
  const options = { most: 2, mostWhenFailing: 1, slowMs: 60_000 }
  const chains = createChainTurns(registry, () => nowMs, options)
  const chain = chains.get(port.chain)
  if (!chain) throw new Error('no chain')
  const input = { collection: { key: 'tea', standard: 'erc-721' as const }, tokens: [] }
  return {
    chains,
    chain,
    state,
    mint: (key: string) => chain.mint(key, input),
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
