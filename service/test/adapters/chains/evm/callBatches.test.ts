import { and, eq, gt, inArray, ne } from 'drizzle-orm'
import {
  concatHex,
  encodeFunctionData,
  getAddress,
  type Hex,
  hexToBytes,
  keccak256,
  numberToHex,
  padHex,
  parseTransaction,
  zeroHash,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestToken } from '#adapters/chains/evm/artifacts/TestToken.js'
import { chainTransactions, sponsoredGas } from '#base/db/tables/index.js'
import type { CallPort, EncodedCall } from '#base/ports/calls.js'
import type { ChainPort } from '#base/ports/chain.js'
import { requireCalls } from '#holdings/transactions/actingWallet.js'
import { createTestChain } from '../../../helpers/createTestChain.js'
import { startRelay } from '../../../helpers/startRelay.js'

let world: Awaited<ReturnType<typeof createTestChain>>
beforeAll(async () => {
  world = await createTestChain()
})
afterAll(() => world.close())

const calls = (chain: ChainPort = world.chain): CallPort => requireCalls(chain)
const newAccount = () => {
  const key = generatePrivateKey()
  return { privateKey: hexToBytes(key), address: privateKeyToAccount(key).address }
}
type TestAccount = ReturnType<typeof newAccount>
const elsewhere = () => privateKeyToAccount(generatePrivateKey()).address
const usdc = () =>
  getAddress(world.chain.currencies.find(({ currency }) => currency === 'usdc')?.address ?? '')
const mintCall = (to: Hex, units = 1n): EncodedCall => ({
  to: usdc(),
  value: 0n,
  data: encodeFunctionData({ ...TestToken, functionName: 'mint', args: [to, units] }),
})
const transferCall = (to: Hex, units: bigint): EncodedCall => ({
  to: usdc(),
  value: 0n,
  data: encodeFunctionData({ ...TestToken, functionName: 'transfer', args: [to, units] }),
})
const coinsCall = (to: Hex, value: bigint): EncodedCall => ({ to, value, data: '0x' })
const coinsOf = (address: Hex) => world.client.getBalance({ address })
const countOf = (address: Hex) => world.client.getTransactionCount({ address })
const fullKey = (key: string) => `base-sepolia:${key}`

/** Keys of several calls, which are the same for every process. */
const keysOf = (count: number): string[] => {
  const name = crypto.randomUUID()
  return Array.from({ length: count }, (_, at) => `${name}:${at}`)
}
const readRows = async (keys: readonly string[]) => {
  const rows = await world.db
    .select()
    .from(chainTransactions)
    .where(inArray(chainTransactions.key, keys.map(fullKey)))
  const byKey = new Map(rows.map((row) => [row.key, row]))
  return keys.map((key) => byKey.get(fullKey(key)))
}
const noncesOf = async (keys: readonly string[]) => (await readRows(keys)).map((row) => row?.nonce)

type Sent = {
  account: TestAccount
  keys?: readonly string[]
  all: readonly EncodedCall[]
  chain?: ChainPort
  isSponsored?: boolean
}

/** Sends calls at once. */
const send = ({ account: { privateKey }, all, keys = keysOf(all.length), chain, isSponsored = true }: Sent) =>
  Promise.allSettled(
    all.map((call, at) => calls(chain).send(keys[at] ?? '', { privateKey, call, isSponsored })),
  )
const statusesOf = (settled: Awaited<ReturnType<typeof send>>) =>
  settled.map((each) => (each.status === 'fulfilled' ? each.value.status : 'rejected'))
const all = (count: number, status = 'success') => Array.from({ length: count }, () => status)

const readGifts = (address: Hex) =>
  world.db
    .select({ givenWei: sponsoredGas.givenWei, row: chainTransactions })
    .from(sponsoredGas)
    .innerJoin(chainTransactions, eq(chainTransactions.key, sponsoredGas.key))
    .where(and(eq(sponsoredGas.account, address), gt(sponsoredGas.givenWei, 0n)))

/** Reads the unspent gas top-ups that arrived, according to the records. */
const readUnspent = async (address: Hex): Promise<bigint> => {
  const rows = await world.db
    .select({ givenWei: sponsoredGas.givenWei, spentWei: sponsoredGas.spentWei })
    .from(sponsoredGas)
    .innerJoin(chainTransactions, eq(chainTransactions.key, sponsoredGas.key))
    .where(and(eq(sponsoredGas.account, address), ne(chainTransactions.status, 'reverted')))
  return rows.reduce((sum, { givenWei, spentWei }) => sum + givenWei - spentWei, 0n)
}

test('default: calls that come at once share one gas top-up, and land in their order', async () => {
  const account = newAccount()
  const to = elsewhere()
  const keys = keysOf(30)
  const settled = await send({ account, keys, all: keys.map(() => mintCall(to)) })
  expect(statusesOf(settled)).toEqual(all(30))
  expect(await world.tokensOf(to, 'usdc')).toBe(30n)
  expect(await noncesOf(keys)).toEqual(keys.map((_, at) => at))
  const rows = await readRows(keys)
  const cost = rows.reduce((sum, row) => {
    const { gas = 0n, maxFeePerGas = 0n } = parseTransaction((row?.signedTransaction ?? '0x') as Hex)
    return sum + gas * maxFeePerGas
  }, 0n)
  // Exactly what all of them may cost.
  expect((await readGifts(account.address)).map(({ givenWei }) => givenWei)).toEqual([cost])
  expect(await readUnspent(account.address)).toBe(await coinsOf(account.address))
  // Sent again under their keys, they find their transactions.
  expect(await send({ account, keys, all: keys.map(() => mintCall(to)) })).toEqual(settled)
  expect(await world.tokensOf(to, 'usdc')).toBe(30n)
})

test('behavior: what the last calls left over pays for the next ones first', async () => {
  const account = newAccount()
  const to = elsewhere()
  await send({ account, all: Array.from({ length: 9 }, () => mintCall(to)) })
  await send({ account, all: [mintCall(to), mintCall(to)] })
  expect(await readGifts(account.address)).toHaveLength(1)
  expect(await world.tokensOf(to, 'usdc')).toBe(11n)
})

test('error: a call that the chain refuses fails alone, and takes no nonce', async () => {
  const account = newAccount()
  const to = elsewhere()
  const keys = keysOf(5)
  const refused = transferCall(to, 9n)
  const given = [mintCall(to), refused, mintCall(to), refused, mintCall(to)]
  const settled = await send({ account, keys, all: given })
  expect(statusesOf(settled)).toEqual(['success', 'failed', 'success', 'failed', 'success'])
  expect(settled[1]).toMatchObject({
    value: { error: { revert: { reason: `ERC20InsufficientBalance(${account.address}, 0, 9)` } } },
  })
  expect(await noncesOf(keys)).toEqual([0, undefined, 1, undefined, 2])
  expect(await world.tokensOf(to, 'usdc')).toBe(3n)
})

test('error: a call that reverts in its block fails alone', async () => {
  const account = newAccount()
  const to = elsewhere()
  await world.chain.wallets.fund(`fund:${account.address}`, {
    currency: 'usdc',
    units: 9n,
    recipient: account.address,
  })
  let isSpent = false
  const relay = await startRelay(await world.node.rpcUrl(), async (body) => {
    // The calls are sent in one request, and the top-up alone.
    if (isSpent || !body.startsWith('[') || !body.includes('eth_sendRawTransaction')) return
    isSpent = true
    // All but one of its tokens are gone before it lands.
    const slot = keccak256(concatHex([padHex(account.address, { size: 32 }), zeroHash]))
    await world.client.setStorageAt({ address: usdc(), index: slot, value: numberToHex(1n, { size: 32 }) })
  })
  const chain = world.open({ rpcUrl: async () => relay.url })
  const keys = keysOf(3)
  const settled = await send({
    account,
    keys,
    chain,
    all: [mintCall(to), transferCall(to, 9n), mintCall(to)],
  })
  expect(isSpent).toBe(true)
  expect(statusesOf(settled)).toEqual(['success', 'failed', 'success'])
  const [, row] = await readRows(keys)
  expect(settled[1]).toMatchObject({
    value: {
      txId: row?.txId,
      error: { revert: { reason: `ERC20InsufficientBalance(${account.address}, 1, 9)` } },
    },
  })
  expect(await world.tokensOf(to, 'usdc')).toBe(2n)
  await relay.close()
})

test('behavior: a call that needs the one before it waits until that one has landed', async () => {
  const account = newAccount()
  const to = elsewhere()
  const given = [mintCall(account.address, 8n), transferCall(to, 5n), mintCall(to), transferCall(to, 3n)]
  const keys = keysOf(given.length)
  const settled = await send({ account, keys, all: given })
  expect(statusesOf(settled)).toEqual(all(4))
  expect(await noncesOf(keys)).toEqual([0, 1, 2, 3])
  expect(await world.tokensOf(to, 'usdc')).toBe(9n)
})

test("error: top-ups pay for no call's value, and a call that lacks coins fails alone", async () => {
  const account = newAccount()
  const to = elsewhere()
  await world.client.setBalance({ address: account.address, value: 5n })
  const given = [mintCall(to), coinsCall(to, 3n), coinsCall(to, 3n), coinsCall(to, 2n), coinsCall(to, 1n)]
  const settled = await send({ account, all: given })
  expect(statusesOf(settled)).toEqual(['success', 'success', 'failed', 'success', 'failed'])
  expect(settled[4]).toMatchObject({
    value: {
      error: { message: expect.stringContaining('the wallet has 0 wei of its own, less than the 1') },
    },
  })
  expect(await coinsOf(to)).toBe(5n)
  expect(await readUnspent(account.address)).toBe(await coinsOf(account.address))
})

test('behavior: an account sends its own coins to the last wei with one top-up', async () => {
  const account = newAccount()
  const to = elsewhere()
  await world.client.setBalance({ address: account.address, value: 20n })
  const settled = await send({ account, all: Array.from({ length: 20 }, () => coinsCall(to, 1n)) })
  expect(statusesOf(settled)).toEqual(all(20))
  expect(await coinsOf(to)).toBe(20n)
  expect(await readGifts(account.address)).toHaveLength(1)
})

/** A contract that counts down from 200,000, which takes more gas than the operator pays for. */
const createBurner = async () => {
  const burner = elsewhere()
  await world.client.setCode({ address: burner, bytecode: '0x62030d405b600190038060045700' })
  return burner
}

test('error: a call that burns more gas than the operator pays for fails alone', async () => {
  const account = newAccount()
  const to = elsewhere()
  const given = [mintCall(to), { to: await createBurner(), value: 0n, data: '0x' }, mintCall(to)]
  const settled = await send({ account, all: given })
  expect(statusesOf(settled)).toEqual(['success', 'failed', 'success'])
  expect(settled[1]).toMatchObject({
    value: { error: { message: expect.stringMatching(/it needs \d+ gas, more than the 3000000/) } },
  })
})

test('behavior: one top-up pays for the gas of eight of the dearest calls at most', async () => {
  const account = newAccount()
  const burner = elsewhere()
  // Counts down from 80,000: some 2,200,000 gas.
  await world.client.setCode({ address: burner, bytecode: '0x620138805b600190038060045700' })
  const settled = await send({
    account,
    all: Array.from({ length: 20 }, () => ({ to: burner, value: 0n, data: '0x' })),
  })
  expect(statusesOf(settled)).toEqual(all(20))
  const gifts = await readGifts(account.address)
  expect(gifts.length).toBeGreaterThan(1)
  const price = parseTransaction((gifts[0]?.row.signedTransaction ?? '0x') as Hex).maxFeePerGas ?? 1n
  for (const { givenWei } of gifts) expect(givenWei).toBeLessThanOrEqual(8n * 3_000_000n * price * 2n)
})

test('behavior: an operator with few coins tops up the gas of as many calls as it can pay for', async () => {
  const account = newAccount()
  const to = elsewhere()
  const rich = await coinsOf(world.operator)
  const lone = newAccount()
  await send({ account: lone, all: [mintCall(to)] })
  const [known] = await readGifts(lone.address)
  const each = known?.givenWei ?? 0n
  const poor = each * 8n
  await world.client.setBalance({ address: world.operator, value: poor })
  const settled = await send({ account, all: Array.from({ length: 12 }, () => mintCall(to)) })
  expect(statusesOf(settled)).toEqual(all(12))
  expect(await world.tokensOf(to, 'usdc')).toBe(13n)
  // The first ones get half of what it has, and what they leave over pays for others.
  const gifts = await readGifts(account.address)
  expect(gifts.length).toBeGreaterThan(1)
  for (const { givenWei } of gifts) expect(givenWei).toBeLessThanOrEqual(poor / 2n)
  await world.client.setBalance({ address: world.operator, value: rich })
})

const isGift = (body: string): boolean => !body.startsWith('[') && body.includes('eth_sendRawTransaction')

/** Opens a process whose node answers no request of some kind. */
const openDying = async (isRefused: (body: string) => boolean) => {
  const relay = await startRelay(
    await world.node.rpcUrl(),
    async () => {},
    (body) => (isRefused(body) ? 503 : undefined),
  )
  return { chain: world.open({ rpcUrl: async () => relay.url }), close: relay.close }
}

test('behavior: if a process dies once calls are signed, another one sends the same bytes', async () => {
  const account = newAccount()
  const to = elsewhere()
  await world.client.setBalance({ address: account.address, value: 10n ** 18n })
  const keys = keysOf(10)
  const sent = { account, keys, all: keys.map(() => mintCall(to)), isSponsored: false }
  const dying = await openDying((body) => body.includes('eth_sendRawTransaction'))
  expect(statusesOf(await send({ ...sent, chain: dying.chain }))).toEqual(all(10, 'rejected'))
  await dying.close()
  const signed = await readRows(keys)
  expect(signed.map((row) => [row?.status, row?.nonce])).toEqual(keys.map((_, at) => ['signed', at]))
  expect(await countOf(account.address)).toBe(0)
  expect(await send(sent)).toEqual(
    signed.map((row) => ({ status: 'fulfilled', value: { status: 'success', txId: row?.txId } })),
  )
  expect(await world.tokensOf(to, 'usdc')).toBe(10n)
})

test('behavior: if a process dies once the node has some of the calls, each lands once', async () => {
  const account = newAccount()
  const to = elsewhere()
  await world.client.setBalance({ address: account.address, value: 10n ** 18n })
  const keys = keysOf(30)
  const sent = { account, keys, all: keys.map(() => mintCall(to)), isSponsored: false }
  let requests = 0
  // The second request of two never arrives.
  const dying = await openDying((body) => body.includes('eth_sendRawTransaction') && ++requests > 1)
  expect(statusesOf(await send({ ...sent, chain: dying.chain }))).toContain('rejected')
  await dying.close()
  expect(await countOf(account.address)).toBe(20)
  expect(statusesOf(await send(sent))).toEqual(all(30))
  expect(await world.tokensOf(to, 'usdc')).toBe(30n)
  expect(await countOf(account.address)).toBe(30)
})

test('behavior: if a process dies between the top-up and the calls, no other top-up is sent', async () => {
  const account = newAccount()
  const to = elsewhere()
  const keys = keysOf(10)
  const sent = { account, keys, all: keys.map(() => mintCall(to)) }
  let isGiven = false
  const dying = await openDying((body) => {
    if (!isGift(body)) return isGiven
    isGiven = true
    return false
  })
  expect(statusesOf(await send({ ...sent, chain: dying.chain }))).toEqual(all(10, 'rejected'))
  await dying.close()
  expect(await readRows(keys)).toEqual(keys.map(() => undefined))
  expect(statusesOf(await send(sent))).toEqual(all(10))
  expect(await readGifts(account.address)).toHaveLength(1)
  expect(await world.tokensOf(to, 'usdc')).toBe(10n)
  expect(await readUnspent(account.address)).toBe(await coinsOf(account.address))
})

test('behavior: a top-up that was lost is not counted as arrived, and another one pays for all', async () => {
  const account = newAccount()
  const to = elsewhere()
  let isStolen = false
  const relay = await startRelay(await world.node.rpcUrl(), async (body) => {
    if (isStolen || !isGift(body)) return
    const { params } = JSON.parse(body) as { params: [Hex] }
    const { to: recipient, nonce = 0 } = parseTransaction(params[0])
    if (recipient?.toLowerCase() !== account.address.toLowerCase()) return
    isStolen = true
    const hash = await world.operatorWallet.sendTransaction({ to: elsewhere(), nonce, gas: 21_000n })
    await world.client.waitForTransactionReceipt({ hash })
  })
  const chain = world.open({ rpcUrl: async () => relay.url })
  const settled = await send({ account, chain, all: Array.from({ length: 6 }, () => mintCall(to)) })
  expect(statusesOf(settled)).toEqual(all(6))
  const gifts = await readGifts(account.address)
  expect(gifts.map(({ row }) => row.status).sort()).toEqual(['reverted', 'succeeded'])
  expect(await readUnspent(account.address)).toBe(await coinsOf(account.address))
  await relay.close()
})

test('behavior: two processes that send the same calls at once send each once, with one top-up', async () => {
  const account = newAccount()
  const to = elsewhere()
  const keys = keysOf(24)
  const given = keys.map(() => mintCall(to))
  const other = world.open()
  await other.ready()
  const [mine, its] = await Promise.all([
    send({ account, keys, all: given }),
    // It found the first ones only.
    send({ account, keys: keys.slice(0, 9), all: given.slice(0, 9), chain: other }),
  ])
  expect(statusesOf(mine)).toEqual(all(24))
  expect(its).toEqual(mine.slice(0, 9))
  expect(await noncesOf(keys)).toEqual(keys.map((_, at) => at))
  expect(await world.tokensOf(to, 'usdc')).toBe(24n)
  expect(await readUnspent(account.address)).toBe(await coinsOf(account.address))
})

test('behavior: callers of one key in one process share one transaction', async () => {
  const account = newAccount()
  const to = elsewhere()
  const [key = ''] = keysOf(1)
  const settled = await send({
    account,
    keys: [key, key, key],
    all: Array.from({ length: 3 }, () => mintCall(to)),
  })
  expect(statusesOf(settled)).toEqual(all(3))
  expect(await world.tokensOf(to, 'usdc')).toBe(1n)
})

test('behavior: calls that the account pays for itself are signed as far as its coins go, and then go on', async () => {
  const account = newAccount()
  const to = elsewhere()
  await world.client.setBalance({ address: account.address, value: 10n ** 18n })
  const own = { account, isSponsored: false }
  const [key = ''] = keysOf(1)
  await send({ ...own, keys: [key], all: [mintCall(to)] })
  const [row] = await readRows([key])
  const { gas = 0n, maxFeePerGas = 0n } = parseTransaction((row?.signedTransaction ?? '0x') as Hex)
  // Enough for what they really cost, and not for what all may cost at once.
  await world.client.setBalance({ address: account.address, value: gas * maxFeePerGas * 5n })
  const settled = await send({ ...own, all: Array.from({ length: 7 }, () => mintCall(to)) })
  expect(statusesOf(settled)).toEqual(all(7))
  expect(await world.tokensOf(to, 'usdc')).toBe(8n)
  expect(await readGifts(account.address)).toEqual([])
})

test('error: a call whose simulation fails for another reason holds up only what is behind it', async () => {
  const account = newAccount()
  const to = elsewhere()
  let isFailing = true
  const poison = mintCall(to, 77n)
  const relay = await startRelay(
    await world.node.rpcUrl(),
    async () => {},
    undefined,
    (body, answer) => {
      if (!isFailing || !body.includes('eth_estimateGas')) return answer
      const asked = [JSON.parse(body)].flat() as { id: number; params: [{ data?: string }] }[]
      const answers = [JSON.parse(answer)].flat() as { id: number }[]
      const changed = answers.map((each) =>
        asked.find(({ id }) => id === each.id)?.params[0].data === poison.data
          ? { jsonrpc: '2.0', id: each.id, error: { code: -32000, message: 'out of cheese' } }
          : each,
      )
      return JSON.stringify(Array.isArray(JSON.parse(answer)) ? changed : changed[0])
    },
  )
  const chain = world.open({ rpcUrl: async () => relay.url })
  const keys = keysOf(4)
  const given = [mintCall(to), mintCall(to), poison, mintCall(to)]
  const settled = await send({ account, keys, chain, all: given })
  expect(statusesOf(settled)).toEqual(['success', 'success', 'rejected', 'rejected'])
  isFailing = false
  expect(statusesOf(await send({ account, keys, chain, all: given }))).toEqual(all(4))
  expect(await noncesOf(keys)).toEqual([0, 1, 2, 3])
  expect(await world.tokensOf(to, 'usdc')).toBe(80n)
  await relay.close()
})
