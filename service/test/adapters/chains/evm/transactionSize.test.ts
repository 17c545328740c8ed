import { eq, like } from 'drizzle-orm'
import { type Hex, hexToBytes, keccak256, parseTransaction } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { EvmChainOptions } from '#adapters/chains/evm/evmChainOptions.js'
import { chainTransactions } from '#base/db/tables/chainTransactions.js'
import { requireCalls } from '#holdings/transactions/actingWallet.js'
import { createOperationWorld } from '../../../helpers/createOperationWorld.js'
import { startRelay } from '../../../helpers/startRelay.js'

/** The limit in the pools of most nodes. */
const poolBytes = 131_072

let world: Awaited<ReturnType<typeof createOperationWorld>>
/** Refuses transactions that are too long, as most nodes do. Anvil accepts them. */
let relay: Awaited<ReturnType<typeof startRelay>>
let refused: number[] = []
beforeAll(async () => {
  world = await createOperationWorld()
  relay = await startRelay(
    await world.node.rpcUrl(),
    async () => {},
    (body) => {
      const { method, params } = JSON.parse(body) as { method: string; params: [string] }
      if (method !== 'eth_sendRawTransaction') return undefined
      const bytes = (params[0].length - 2) / 2
      if (bytes <= poolBytes) return undefined
      refused.push(bytes)
      return { code: -32000, message: `oversized data: transaction size ${bytes}, limit ${poolBytes}` }
    },
  )
})
afterEach(() => {
  refused = []
})
afterAll(async () => {
  await relay.close()
  await world.close()
})

const open = (change: Partial<EvmChainOptions> = {}) =>
  world.open({ rpcUrl: async () => relay.url, ...change })
const callOf = (bytes: number) => ({
  to: world.newAddress(),
  value: 0n,
  data: `0x${'00'.repeat(bytes)}` as Hex,
})

test('error: calls that are too long for a transaction are refused before signing', async () => {
  const owner = world.createAccountWallet()
  await owner.fund()
  const reverted = {
    status: 'reverted',
    revert: { type: 'contract_call', reason: expect.stringMatching(/^it has \d+ bytes, more than/) },
  }
  const prepare = (bytes: number) =>
    world.port.prepare({
      wallet: owner.wallet,
      calls: [callOf(bytes)],
      nonce: 0n,
      isSponsored: false,
    })
  expect(await prepare(80_000)).toMatchObject(reverted)
  expect(await prepare(79_000)).toMatchObject({ status: 'ready' })
  expect(
    await requireCalls(world.chain).try(world.newAddress(), callOf(90_001), { isSponsored: true }),
  ).toMatchObject(reverted)
  expect(
    await requireCalls(world.chain).try(world.newAddress(), callOf(89_000), { isSponsored: true }),
  ).toEqual({
    status: 'ready',
  })
})

test('behavior: the longest accepted operation lands', async () => {
  const chain = open()
  for (const owner of [world.createAccountWallet(), world.createPasskeyWallet()]) {
    await owner.fund()
    // The first one deploys the wallet as well.
    for (let at = 0; at < 2; at++) {
      const operation = await owner.make([callOf(79_000)], { isSponsored: false })
      const sent = await owner.send([operation], undefined, chain)
      expect(sent).toMatchObject({ status: 'included', results: [{ status: 'success' }] })
    }
  }
  const owner = world.createAccountWallet()
  const four = await Promise.all([1, 2, 3, 4].map(() => owner.make([callOf(18_000)])))
  const sent = await owner.send(four, undefined, chain)
  expect(sent).toMatchObject({ status: 'included', results: four.map(() => ({ status: 'success' })) })
  expect(refused).toEqual([])
})

test('error: a bundle that is too long takes no nonce and blocks no other', async () => {
  const chain = open()
  const owner = world.createAccountWallet()
  await owner.include([await owner.make([callOf(1)])])
  await owner.fund()
  const long = await Promise.all([1, 2].map(() => owner.make([callOf(70_000)], { isSponsored: false })))
  expect(await owner.send(long, 'long', chain)).toMatchObject({
    status: 'refused',
    error: { reason: 'build_failed', message: expect.stringContaining('bytes') },
  })
  expect(refused).toEqual([])
  const other = world.createAccountWallet()
  expect(await other.send([await other.make([callOf(1)])], 'other', chain)).toMatchObject({
    status: 'included',
  })
})

test('error: a bundle that the node never accepts is signed once', async () => {
  const deaf = await startRelay(
    await world.node.rpcUrl(),
    async () => {},
    (body) => {
      // A transaction that does nothing is short.
      const isLong = body.includes('eth_sendRawTransaction') && body.length > 4_000
      return isLong ? { code: -32000, message: 'oversized data' } : undefined
    },
  )
  const owner = world.createAccountWallet()
  const operation = await owner.make([callOf(3_000)])
  const aging = setInterval(() => {
    const createdAt = new Date(Date.now() - 60 * 60_000)
    const isWaiting = eq(chainTransactions.status, 'signed')
    void world.db.update(chainTransactions).set({ createdAt }).where(isWaiting).execute()
  }, 50)
  const sent = await owner.send([operation], 'deaf', open({ rpcUrl: async () => deaf.url }))
  clearInterval(aging)
  expect(sent).toMatchObject({
    status: 'refused',
    error: { reason: 'failed_to_land_on_chain', message: expect.stringContaining('oversized data') },
  })
  const rows = await world.db
    .select()
    .from(chainTransactions)
    .where(like(chainTransactions.key, `${world.chain.chain}:deaf%`))
  expect(rows).toHaveLength(1)
  await deaf.close()
})

test('error: a transaction signed too long in the past gives up its nonce', async () => {
  const key = generatePrivateKey()
  const account = privateKeyToAccount(key)
  await world.client.setBalance({ address: account.address, value: 10n ** 18n })
  const input = { privateKey: hexToBytes(key), isSponsored: false }
  const dead = await startRelay(
    await world.node.rpcUrl(),
    async () => {},
    (body) =>
      body.includes('eth_sendRawTransaction') ? { code: -32000, message: 'txpool is full' } : undefined,
  )
  await new Promise<void>((resolve) => {
    requireCalls(open({ rpcUrl: async () => dead.url }))
      .send('old', { ...input, call: callOf(10) }, { onSigned: resolve })
      .catch(() => {})
  })
  await dead.close()
  const ofOld = eq(chainTransactions.key, `${world.chain.chain}:old`)
  const [row] = await world.db.select().from(chainTransactions).where(ofOld)
  const { to = null, nonce = 0 } = parseTransaction(row?.signedTransaction as Hex)
  // As signed before lengths were checked.
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n }
  const signedTransaction = await account.signTransaction({
    chainId: world.chain.chainId,
    to,
    nonce,
    gas: 16_000_000n,
    data: callOf(135_000).data,
    ...fees,
  })
  await world.db
    .update(chainTransactions)
    .set({ signedTransaction, txId: keccak256(signedTransaction) })
    .where(ofOld)
  expect(await requireCalls(open()).send('old', { ...input, call: callOf(10) })).toMatchObject({
    status: 'failed',
    error: { reason: 'failed_to_land_on_chain', message: expect.stringContaining('bytes') },
  })
  expect(await requireCalls(open()).send('new', { ...input, call: callOf(10) })).toMatchObject({
    status: 'success',
  })
})
