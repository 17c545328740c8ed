import { and, eq, ne } from 'drizzle-orm'
import { encodeFunctionData, type Hex, hexToBytes, parseTransaction } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestToken } from '#adapters/chains/evm/artifacts/TestToken.js'
import { chainTransactions, sponsoredGas } from '#base/db/tables/index.js'
import type { EncodedCall } from '#base/ports/calls.js'
import { requireCalls } from '#holdings/transactions/actingWallet.js'
import { createTestChain } from '../../../helpers/createTestChain.js'
import { startRelay } from '../../../helpers/startRelay.js'

let world: Awaited<ReturnType<typeof createTestChain>>

beforeAll(async () => {
  world = await createTestChain()
})
afterAll(() => world.close())

const calls = () => requireCalls(world.chain)
const newAccount = () => {
  const key = generatePrivateKey()
  return { privateKey: hexToBytes(key), address: privateKeyToAccount(key).address }
}
const elsewhere = () => privateKeyToAccount(generatePrivateKey()).address
const usdc = (): string => world.chain.currencies.find(({ currency }) => currency === 'usdc')?.address ?? ''
const mintCall = (to: Hex): EncodedCall => ({
  to: usdc(),
  value: 0n,
  data: encodeFunctionData({ ...TestToken, functionName: 'mint', args: [to, 1n] }),
})
const coinsOf = (address: Hex) => world.client.getBalance({ address })
const rowOf = (key: string) => eq(chainTransactions.key, `base-sepolia:${key}`)
const findRow = async (key: string) => (await world.db.select().from(chainTransactions).where(rowOf(key)))[0]
const readRow = async (key: string) => {
  const row = await findRow(key)
  if (!row) throw new Error(`no transaction ${key}`)
  return row
}
const giftKey = (key: string, gift = 0) => `gas:base-sepolia:${key}:1:${gift}`
const makeOld = (key: string, minutes: number) =>
  world.db
    .update(chainTransactions)
    .set({ createdAt: new Date(Date.now() - minutes * 60_000) })
    .where(rowOf(key))

/** Reads the unspent gas top-ups that arrived, according to the records. */
const readUnspent = async (account: string): Promise<bigint> => {
  const rows = await world.db
    .select({ givenWei: sponsoredGas.givenWei, spentWei: sponsoredGas.spentWei })
    .from(sponsoredGas)
    .innerJoin(chainTransactions, eq(chainTransactions.key, sponsoredGas.key))
    .where(and(eq(sponsoredGas.account, account), ne(chainTransactions.status, 'reverted')))
  return rows.reduce((sum, { givenWei, spentWei }) => sum + givenWei - spentWei, 0n)
}

const readSent = (body: string): Hex | undefined => {
  if (!body.includes('eth_sendRawTransaction')) return undefined
  const { params } = JSON.parse(body) as { params: [Hex] }
  return params[0]
}
/** Whether a request sends a gas top-up to an account. */
const isGiftFor = (address: Hex, body: string): boolean => {
  const sent = readSent(body)
  return sent !== undefined && parseTransaction(sent).to?.toLowerCase() === address.toLowerCase()
}

/**
 * Opens a process whose node refuses everything until it is allowed, except gas top-ups of the named account.
 */
const openRefused = async (account?: Hex) => {
  let isRefused = (body: string): boolean => !account || !isGiftFor(account, body)
  const relay = await startRelay(
    await world.node.rpcUrl(),
    async () => {},
    (body) => (readSent(body) && isRefused(body) ? { code: -32000, message: 'txpool is full' } : undefined),
  )
  const chain = world.open({ rpcUrl: async () => relay.url })
  /** From now on, the node accepts everything except requests that contain this text. */
  const allow = (but?: string) => {
    isRefused = (body) => but !== undefined && body.includes(but)
  }
  return { chain, allow, close: relay.close }
}

/** Signs a gas top-up that its node never gets, because its process dies. */
const signGift = async (key: string, privateKey: Uint8Array, call: EncodedCall) => {
  const dead = await openRefused()
  requireCalls(dead.chain)
    .send(key, { privateKey, call, isSponsored: true })
    .catch(() => {})
  await expect.poll(() => findRow(giftKey(key))).toBeDefined()
  await dead.close()
  return readRow(giftKey(key))
}

/** Uses the operator's nonce from outside the service. */
const useNonce = async (nonce: number) => {
  const hash = await world.operatorWallet.sendTransaction({ to: elsewhere(), nonce, gas: 21_000n })
  await world.client.waitForTransactionReceipt({ hash })
}

test('error: the account cannot send gas top-ups that a call left over as its own coins', async () => {
  const account = newAccount()
  const { privateKey, address } = account
  const thief = elsewhere()
  const greedy = elsewhere()
  // Burns a lot while gas is free, as in an estimate, and nothing when it is paid for.
  await world.client.setCode({
    address: greedy,
    bytecode: '0x3a601557620111705b6001900380600857000000005b00',
  })
  const send = (key: string, to: Hex, value: bigint) =>
    calls().send(key, { privateKey, call: { to, value, data: '0x' }, isSponsored: true })
  expect(await send('greedy', greedy, 0n)).toMatchObject({ status: 'success' })
  const left = await coinsOf(address)
  expect(left).toBeGreaterThan(0n)
  const lack = expect.stringContaining('the wallet has 0 wei of its own, less than the')
  const call = { to: thief, value: left, data: '0x' }
  expect(await calls().try(address, call, { isSponsored: true })).toMatchObject({
    status: 'reverted',
    revert: { reason: lack },
  })
  const failed = { status: 'failed', error: { reason: 'build_failed', message: lack } }
  expect(await send('theft', thief, left)).toMatchObject(failed)
  // Killed before it recorded the top-up's arrival, which the chain shows.
  const gift = rowOf('gas:base-sepolia:greedy:1:0')
  await world.db.update(chainTransactions).set({ status: 'signed', blockNumber: null }).where(gift)
  expect(await send('a wei', thief, 1n)).toMatchObject(failed)
  // Also through a process that has the account pay for its own gas.
  const unsponsored = { privateKey, call, isSponsored: false }
  expect(await requireCalls(world.open()).send('later', unsponsored)).toMatchObject({ status: 'failed' })
  expect(await coinsOf(address)).toBe(left)
  // It can send its own coins to the last wei, using the remaining top-up for gas.
  await world.client.setBalance({ address, value: left + 700n })
  expect(await calls().try(address, { ...call, value: 700n }, { isSponsored: true })).toEqual({
    status: 'ready',
  })
  expect(await calls().try(address, { ...call, value: 701n }, { isSponsored: true })).toMatchObject({
    status: 'reverted',
  })
  expect(await send('own coins', thief, 700n)).toMatchObject({ status: 'success' })
  expect(await coinsOf(thief)).toBe(700n)
  const rows = await world.db.select().from(sponsoredGas).where(eq(sponsoredGas.account, address))
  const unspent = rows.reduce((sum, { givenWei, spentWei }) => sum + givenWei - spentWei, 0n)
  expect(unspent).toBe(await coinsOf(address))
})

test("behavior: a call's spending is recorded once, also by a process that finds it ended", async () => {
  const account = newAccount()
  const { privateKey, address } = account
  const input = { privateKey, call: mintCall(address), isSponsored: true }
  await calls().send('counted', input)
  const read = () => world.db.select().from(sponsoredGas).where(eq(sponsoredGas.account, address))
  const rows = await read()
  const sum = (of: 'givenWei' | 'spentWei') => rows.reduce((all, row) => all + row[of], 0n)
  expect(sum('givenWei') - sum('spentWei')).toBe(await coinsOf(address))
  await calls().send('counted', input)
  expect(await read()).toEqual(rows)
  // Killed before it recorded the spending. Until then, the account's own share of its coins is unknown.
  await world.db.delete(sponsoredGas).where(eq(sponsoredGas.key, 'base-sepolia:counted'))
  await calls().send('counted', input)
  expect(await read()).toEqual(expect.arrayContaining(rows))
})

test("behavior: a call that finds an earlier call's spending unrecorded just before it is signed waits for the record", async () => {
  const { privateKey, address } = newAccount()
  const to = elsewhere()
  await world.client.setBalance({ address, value: 500n })
  await calls().send('earlier', { privateKey, call: mintCall(address), isSponsored: true })
  const isSpend = eq(sponsoredGas.key, 'base-sepolia:earlier')
  const [spend] = await world.db.select().from(sponsoredGas).where(isSpend)
  if (!spend) throw new Error('no spending was recorded')
  let looks: number | undefined
  const relay = await startRelay(await world.node.rpcUrl(), async (body) => {
    if (!body.toLowerCase().includes(address.toLowerCase())) return
    // As if the earlier call landed after the coins were found sufficient, and its spending is recorded later.
    if (body.includes('eth_estimateGas') && looks === undefined) {
      looks = 0
      await world.db.delete(sponsoredGas).where(isSpend)
    }
    if (!body.includes('eth_getBalance') || looks === undefined) return
    looks++
    if (looks === 3) await world.db.insert(sponsoredGas).values(spend)
  })
  const chain = world.open({ rpcUrl: async () => relay.url })
  const call = { to, value: 500n, data: '0x' }
  expect(await requireCalls(chain).send('next', { privateKey, call, isSponsored: true })).toMatchObject({
    status: 'success',
  })
  expect(looks).toBeGreaterThan(3)
  expect(await coinsOf(to)).toBe(500n)
  expect(await readUnspent(address)).toBe(await coinsOf(address))
  await relay.close()
})

test('behavior: a top-up that arrives while the coins are read does not take the place of own coins', async () => {
  const { privateKey, address } = newAccount()
  const to = elsewhere()
  await world.client.setBalance({ address, value: 500n })
  await calls().send('before', { privateKey, call: mintCall(address), isSponsored: true })
  const given = await readRow(giftKey('before'))
  let looks = 0
  const relay = await startRelay(await world.node.rpcUrl(), async (body) => {
    if (!body.includes('eth_getBalance') || !body.toLowerCase().includes(address.toLowerCase())) return
    looks++
    // The first answer lacks the top-up, the second has it.
    if (looks === 1) {
      const key = `${given.key}:again`
      await world.db.insert(chainTransactions).values({ ...given, key, txId: key, nonce: 1_000_000 })
      const row = { key, chain: 'base-sepolia', account: address, givenWei: 10_000n, spentWei: 0n }
      await world.db.insert(sponsoredGas).values(row)
    }
    if (looks === 2) await world.client.setBalance({ address, value: (await coinsOf(address)) + 10_000n })
  })
  const chain = world.open({ rpcUrl: async () => relay.url })
  const call = { to, value: 500n, data: '0x' }
  expect(await requireCalls(chain).send('during', { privateKey, call, isSponsored: true })).toMatchObject({
    status: 'success',
  })
  expect(await coinsOf(to)).toBe(500n)
  await relay.close()
})

test('error: a call that burns more gas than the operator pays for gets no top-up', async () => {
  const { privateKey, address } = newAccount()
  const burner = elsewhere()
  // Counts down from 200,000.
  await world.client.setCode({ address: burner, bytecode: '0x62030d405b600190038060045700' })
  const call = { to: burner, value: 0n, data: '0x' }
  const reason = expect.stringMatching(/it needs \d+ gas, more than the 3000000/)
  expect(await calls().try(address, call, { isSponsored: true })).toMatchObject({
    status: 'reverted',
    revert: { type: 'wallet_authorization', reason },
  })
  expect(await calls().send('burn', { privateKey, call, isSponsored: true })).toMatchObject({
    status: 'failed',
    error: { message: reason },
  })
  expect(await coinsOf(address)).toBe(0n)
})

test('behavior: an account that pays for its own gas gets no top-up', async () => {
  const account = newAccount()
  await world.client.setBalance({ address: account.address, value: 10n ** 18n })
  const input = { privateKey: account.privateKey, call: mintCall(account.address), isSponsored: false }
  expect(await calls().send('own', input)).toMatchObject({ status: 'success' })
  expect(await coinsOf(account.address)).toBeLessThan(10n ** 18n)
})

test('error: gas that neither the account nor the operator pays for is reported before signing', async () => {
  const { address } = newAccount()
  const call = { to: elsewhere(), value: 5n, data: '0x' }
  const tryOut = (isSponsored: boolean) => calls().try(address, call, { isSponsored })
  await world.client.setBalance({ address, value: 5n })
  expect(await tryOut(true)).toEqual({ status: 'ready' })
  expect(await tryOut(false)).toMatchObject({
    status: 'reverted',
    revert: {
      type: 'wallet_authorization',
      reason: expect.stringContaining('has 5 wei to spare, less than the'),
    },
  })
  await world.client.setBalance({ address, value: 10n ** 18n })
  expect(await tryOut(false)).toEqual({ status: 'ready' })
})

test('error: an operator without coins reports it, and continues once it has some', async () => {
  const account = newAccount()
  const rich = await coinsOf(world.operator)
  await world.client.setBalance({ address: world.operator, value: 1n })
  const input = { privateKey: account.privateKey, call: mintCall(account.address), isSponsored: true }
  const poor = { code: 'chain-unavailable', message: expect.stringContaining('operator') }
  await expect(calls().send('patient', input)).rejects.toMatchObject(poor)
  await world.client.setBalance({ address: world.operator, value: rich })
  expect(await calls().send('patient', input)).toMatchObject({ status: 'success' })
})

test('behavior: where data costs more than gas, the top-up covers it', async () => {
  const account = newAccount()
  const oracle = '0x420000000000000000000000000000000000000F'
  // It answers 1,000,000 wei to every call.
  await world.client.setCode({ address: oracle, bytecode: '0x620f42405f5260205ff3' })
  const call = { to: elsewhere(), value: 0n, data: '0x' }
  const sent = await calls().send('data', { privateKey: account.privateKey, call, isSponsored: true })
  expect(sent.status).toBe('success')
  const row = parseTransaction((await readRow('data')).signedTransaction as Hex)
  const gift = parseTransaction((await readRow('gas:base-sepolia:data:1:0')).signedTransaction as Hex)
  expect(gift.value).toBe((row.gas ?? 0n) * (row.maxFeePerGas ?? 0n) + 1_500_000n)
  await world.client.setCode({ address: oracle, bytecode: '0x' })
})

test('behavior: a failed gas top-up is sent under another key, also by a later call', async () => {
  const { privateKey, address } = newAccount()
  const rich = await coinsOf(world.operator)
  let isStolen = false
  const relay = await startRelay(await world.node.rpcUrl(), async (body) => {
    const sent = readSent(body)
    if (isStolen || !sent || !isGiftFor(address, body)) return
    isStolen = true
    await useNonce(parseTransaction(sent).nonce ?? 0)
    await world.client.setBalance({ address: world.operator, value: 1n })
  })
  const input = { privateKey, call: mintCall(address), isSponsored: true }
  const robbed = world.open({ rpcUrl: async () => relay.url, isLocal: false })
  await expect(requireCalls(robbed).send('robbed', input)).rejects.toMatchObject({
    code: 'chain-unavailable',
  })
  expect(await readRow(giftKey('robbed'))).toMatchObject({ status: 'reverted', blockNumber: null })
  await world.client.setBalance({ address: world.operator, value: rich })
  const result = await calls().send('robbed', input)
  expect(result).toMatchObject({ status: 'success' })
  // A top-up that arrived is sent once, and only it counts.
  expect(await calls().send('robbed', input)).toEqual(result)
  expect(await readRow(giftKey('robbed', 1))).toMatchObject({ status: 'succeeded' })
  expect(await findRow(giftKey('robbed', 2))).toBeUndefined()
  expect(await readUnspent(address)).toBe(await coinsOf(address))
  await relay.close()
})

test('error: an account that rejects coins gets a limited number of gas top-ups', async () => {
  const account = newAccount()
  const rejector = elsewhere()
  // Accepts coins while gas is free, as in an estimate, and rejects them when it is paid for.
  await world.client.setCode({ address: rejector, bytecode: '0x3a600557005b5f5ffd' })
  await world.client.setCode({ address: account.address, bytecode: `0xef0100${rejector.slice(2)}` })
  const input = { privateKey: account.privateKey, call: mintCall(account.address), isSponsored: true }
  for (let run = 0; run < 2; run++) {
    expect(await calls().send('rejected', input)).toMatchObject({
      status: 'failed',
      error: { reason: 'build_failed', message: expect.stringContaining('did not arrive') },
    })
  }
  const gifts = await world.db.select().from(sponsoredGas).where(eq(sponsoredGas.account, account.address))
  expect(gifts).toHaveLength(10)
})

test('behavior: while a node does not show what used its nonce, a gas top-up is not sent twice', async () => {
  const { privateKey, address } = newAccount()
  let askedCount = 0
  const isHidden = () => askedCount < 40
  const relay = await startRelay(
    await world.node.rpcUrl(),
    async () => {},
    // It does not serve past state.
    (body) =>
      /eth_getTransactionCount.*"0x[\da-f]{1,8}"\]/.test(body) &&
      body.toLowerCase().includes(world.operator.toLowerCase())
        ? { code: -32000, message: 'missing trie node' }
        : undefined,
    (body, answer) => {
      if (!body.includes('eth_getTransactionReceipt') || !isHidden()) return answer
      askedCount++
      const { id } = JSON.parse(body) as { id: number }
      return JSON.stringify({ jsonrpc: '2.0', id, result: null })
    },
  )
  const chain = world.open({ rpcUrl: async () => relay.url })
  const input = { privateKey, call: mintCall(address), isSponsored: true }
  expect(await requireCalls(chain).send('untold', input)).toMatchObject({ status: 'success' })
  expect(isHidden()).toBe(false)
  expect(await findRow(giftKey('untold', 1))).toBeUndefined()
  expect(await readUnspent(address)).toBe(await coinsOf(address))
  await relay.close()
})

test.each(['was given up', 'lost its nonce'])(
  "behavior: a gas top-up that %s does not count against the account's own coins",
  async (fate) => {
    const { privateKey, address } = newAccount()
    const to = elsewhere()
    const key = crypto.randomUUID()
    await world.client.setBalance({ address, value: 500n })
    const call = { to, value: 500n, data: '0x' }
    const gift = await signGift(key, privateKey, call)
    if (fate === 'lost its nonce') await useNonce(gift.nonce)
    else {
      const capped = await startRelay(
        await world.node.rpcUrl(),
        async () => {},
        (body) =>
          isGiftFor(address, body)
            ? { code: -32000, message: 'tx fee (1.20 ether) exceeds the configured cap (1.00 ether)' }
            : undefined,
      )
      const chain = world.open({ rpcUrl: async () => capped.url })
      await makeOld(giftKey(key), 4)
      // A later transaction of the operator waits behind it.
      const next = { currency: 'eth', units: 1n, recipient: elsewhere() }
      expect(await chain.wallets.fund(`behind:${key}`, next)).toMatchObject({ status: 'success' })
      await capped.close()
      expect(await readRow(giftKey(key))).toMatchObject({ status: 'signed', otherTxIds: [gift.txId] })
    }
    expect(await calls().send(key, { privateKey, call, isSponsored: true })).toMatchObject({
      status: 'success',
    })
    expect(await coinsOf(to)).toBe(500n)
    expect(await readRow(giftKey(key))).toMatchObject({ status: 'reverted' })
    expect(await readUnspent(address)).toBe(await coinsOf(address))
  },
)

/** Signs calls of an account that its node does not accept yet. */
const signCalls = async (
  { privateKey, address }: ReturnType<typeof newAccount>,
  calls: Record<string, EncodedCall>,
  isSponsored: boolean,
) => {
  const process = await openRefused(address)
  for (const [key, call] of Object.entries(calls)) {
    await new Promise<void>((resolve) => {
      requireCalls(process.chain)
        .send(key, { privateKey, call, isSponsored }, { onSigned: resolve })
        .catch(() => {})
    })
  }
  return process
}

test("behavior: a call waits for funds reserved for an earlier call's gas, and is then paid from the rest", async () => {
  const account = newAccount()
  const { privateKey, address } = account
  const call = mintCall(address)
  const input = { privateKey, call, isSponsored: false }
  await world.client.setBalance({ address, value: 10n ** 18n })
  const process = await signCalls(account, { first: call }, false)
  const { gas = 0n, maxFeePerGas = 0n } = parseTransaction((await readRow('first')).signedTransaction as Hex)
  // Enough for either call, and for what both really cost.
  await world.client.setBalance({ address, value: (gas * maxFeePerGas * 19n) / 10n })
  await expect(calls().send('second', input)).rejects.toMatchObject({
    code: 'chain-unavailable',
    message: expect.stringContaining('have not landed yet'),
  })
  process.allow()
  expect(await calls().send('first', input)).toMatchObject({ status: 'success' })
  expect(await calls().send('second', input)).toMatchObject({ status: 'success' })
  // No call is pending any more, so the missing coins fail the call permanently.
  await world.client.setBalance({ address, value: 1n })
  expect(await calls().send('third', input)).toMatchObject({
    status: 'failed',
    error: { message: expect.stringContaining('has 1 wei to spare') },
  })
  await process.close()
})

test.each([
  ['itself', false, 'to spare'],
  ['the operator', true, 'sent to it for gas'],
] as const)(
  'behavior: paid for by %s, a call whose coins are gone does not wait for those behind it',
  async (by, isSponsored, reason) => {
    const account = newAccount()
    const { privateKey, address } = account
    const to = elsewhere()
    const value = isSponsored ? 500n : 10n ** 17n
    const lost = isSponsored ? value : value * 2n - 10n ** 16n
    await world.client.setBalance({ address, value: isSponsored ? value : 2n * value })
    const front = { to, value, data: '0x' }
    const back = mintCall(to)
    const [frontKey, backKey] = [`front of ${by}`, `back of ${by}`]
    const process = await signCalls(account, { [frontKey]: front, [backKey]: back }, isSponsored)
    await world.client.setBalance({ address, value: (await coinsOf(address)) - lost })
    await makeOld(frontKey, 4)
    process.allow((await readRow(frontKey)).signedTransaction)
    const send = (key: string, call: EncodedCall) =>
      requireCalls(process.chain).send(key, { privateKey, call, isSponsored })
    const message = expect.stringContaining(reason)
    expect(await send(frontKey, front)).toMatchObject({ status: 'failed', error: { message } })
    expect(await send(backKey, back)).toMatchObject({ status: 'success' })
    expect(await coinsOf(to)).toBe(0n)
    expect(await world.tokensOf(to, 'usdc')).toBe(1n)
    await process.close()
  },
)
