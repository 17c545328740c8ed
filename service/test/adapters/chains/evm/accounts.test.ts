import { eq } from 'drizzle-orm'
import {
  concatHex,
  encodeErrorResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  hexToBytes,
  keccak256,
  numberToHex,
  padHex,
  parseAbi,
  parseTransaction,
  toHex,
  zeroHash,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestToken } from '#adapters/chains/evm/artifacts/TestToken.js'
import { chainTransactions } from '#base/db/tables/chainTransactions.js'
import type { EncodedCall } from '#base/ports/calls.js'
import { requireCalls } from '#holdings/transactions/actingWallet.js'
import { createTestChain } from '../../../helpers/createTestChain.js'
import { startRelay } from '../../../helpers/startRelay.js'

let world: Awaited<ReturnType<typeof createTestChain>>

beforeAll(async () => {
  world = await createTestChain()
})
afterAll(() => world.close())

const wallets = () => world.chain.wallets
const calls = () => requireCalls(world.chain)
const newAccount = () => {
  const key = generatePrivateKey()
  return { privateKey: hexToBytes(key), key, address: privateKeyToAccount(key).address }
}
const elsewhere = () => privateKeyToAccount(generatePrivateKey()).address
const usdc = (): string => world.chain.currencies.find(({ currency }) => currency === 'usdc')?.address ?? ''
const mintCall = (to: Hex, units: bigint): EncodedCall => ({
  to: usdc(),
  value: 0n,
  data: encodeFunctionData({ ...TestToken, functionName: 'mint', args: [to, units] }),
})
const transferCall = (to: Hex, units: bigint): EncodedCall => ({
  to: usdc(),
  value: 0n,
  data: encodeFunctionData({ ...TestToken, functionName: 'transfer', args: [to, units] }),
})
const rowOf = (key: string) => eq(chainTransactions.key, `base-sepolia:${key}`)
const readRow = async (key: string) => {
  const [row] = await world.db.select().from(chainTransactions).where(rowOf(key))
  if (!row) throw new Error(`no transaction ${key}`)
  return row
}
const coinsOf = (address: Hex) => world.client.getBalance({ address })
/** Code that answers every call with a custom error of this selector. */
const putReverting = async (address: Hex, data: Hex) => {
  const length = (data.length - 2) / 2
  const push = `7f${data.slice(2).padEnd(64, '0')}`
  await world.client.setCode({
    address,
    bytecode: `0x${push}5f5260${toHex(length, { size: 1 }).slice(2)}5ffd`,
  })
}

test('default: an account without coins calls a contract; the operator pays for the gas', async () => {
  const account = newAccount()
  let signedCount = 0
  const input = { privateKey: account.privateKey, call: mintCall(account.address, 7n), isSponsored: true }
  const result = await calls().send('transaction:1', input, { onSigned: () => signedCount++ })
  expect(result).toMatchObject({ status: 'success' })
  expect(signedCount).toBe(1)
  expect(await world.tokensOf(account.address, 'usdc')).toBe(7n)
  const row = await readRow('transaction:1')
  const { gas = 0n, maxFeePerGas = 0n } = parseTransaction(row.signedTransaction as Hex)
  const gift = await readRow('gas:base-sepolia:transaction:1:1:0')
  expect(gift.sender).toBe(world.operator)
  // The gift is exactly the call's highest cost.
  expect(parseTransaction(gift.signedTransaction as Hex).value).toBe(gas * maxFeePerGas)
  // Another process sends under the same key: it gets the same transaction and sends nothing.
  expect(await requireCalls(world.open()).send('transaction:1', input)).toEqual(result)
  expect(await world.tokensOf(account.address, 'usdc')).toBe(7n)
})

test('behavior: the account can send its own coins to the last wei', async () => {
  const account = newAccount()
  const to = elsewhere()
  await world.client.setBalance({ address: account.address, value: 500n })
  const call = { to, value: 500n, data: '0x' }
  const sent = await calls().send('value', { privateKey: account.privateKey, call, isSponsored: true })
  expect(sent.status).toBe('success')
  expect(await coinsOf(to)).toBe(500n)
})

test('error: missing coins fail the call permanently, and nothing is sent', async () => {
  const account = newAccount()
  await world.client.setBalance({ address: account.address, value: 4n })
  const call = { to: elsewhere(), value: 5n, data: '0x' }
  const input = { privateKey: account.privateKey, call, isSponsored: true }
  const failed = {
    status: 'failed',
    error: {
      reason: 'build_failed',
      message: expect.stringContaining('has 4 wei, less than the 5'),
    },
  }
  expect(await calls().send('poor', input)).toEqual(failed)
  // Even if the coins arrive later, because the call was reported as failed.
  await world.client.setBalance({ address: account.address, value: 50n })
  expect(await calls().send('poor', input)).toEqual(failed)
  const unsponsored = { ...input, call: { ...call, value: 50n }, isSponsored: false }
  expect(await calls().send('poorer', unsponsored)).toMatchObject({ status: 'failed' })
  expect(await world.client.getTransactionCount({ address: account.address })).toBe(0)
})

test('error: a call that reverts is refused before it is signed, with its error decoded', async () => {
  const account = newAccount()
  const call = transferCall(elsewhere(), 9n)
  const reverted = { type: 'contract_call', reason: `ERC20InsufficientBalance(${account.address}, 0, 9)` }
  expect(await calls().try(account.address, call, { isSponsored: true })).toMatchObject({
    status: 'reverted',
    revert: reverted,
  })
  const result = await calls().send('refused', {
    privateKey: account.privateKey,
    call,
    isSponsored: true,
  })
  expect(result).toMatchObject({
    status: 'failed',
    error: { reason: 'execution_reverted', revert: reverted },
  })
  expect(
    await requireCalls(world.open()).send('refused', {
      privateKey: account.privateKey,
      call,
      isSponsored: true,
    }),
  ).toEqual(result)
  expect(await world.client.getTransactionCount({ address: account.address })).toBe(0)
})

test("error: the caller's own interface describes a custom error", async () => {
  const account = newAccount()
  const target = elsewhere()
  const errors = parseAbi(['error ShopIsClosed()'])
  const data = encodeErrorResult({ abi: errors, errorName: 'ShopIsClosed' })
  await putReverting(target, data)
  const call = { to: target, value: 0n, data: '0x12345678' }
  const reverted = { status: 'reverted', revert: { type: 'contract_call', reasonData: data } }
  const unknown = { revert: { ...reverted.revert, reason: `an unknown error, ${data}` } }
  expect(await calls().try(account.address, call, { isSponsored: true })).toMatchObject(unknown)
  const named = await calls().try(account.address, { ...call, errors }, { isSponsored: true })
  expect(named).toMatchObject({ ...reverted, revert: { reason: 'ShopIsClosed()' } })
  const { privateKey } = account
  expect(
    await calls().send('named', { privateKey, call: { ...call, errors }, isSponsored: true }),
  ).toMatchObject({
    status: 'failed',
    error: { revert: { reason: 'ShopIsClosed()', reasonData: data } },
  })
})

test('error: the simulation names a value that the account lacks', async () => {
  const account = newAccount()
  const call = { to: elsewhere(), value: 5n, data: '0x' }
  expect(await calls().try(account.address, call, { isSponsored: true })).toMatchObject({
    status: 'reverted',
    revert: { type: 'contract_call', reason: expect.stringContaining('has 0 wei, less than the 5') },
  })
  await world.client.setBalance({ address: account.address, value: 5n })
  expect(await calls().try(account.address, call, { isSponsored: true })).toEqual({ status: 'ready' })
})

test('behavior: a call that passes and then reverts in its block has failed, with the reason of the chain', async () => {
  const account = newAccount()
  const to = elsewhere()
  await wallets().fund(`fund:${account.address}`, { currency: 'usdc', units: 9n, recipient: account.address })
  let isSpent = false
  const token = getAddress(usdc())
  const relay = await startRelay(await world.node.rpcUrl(), async (body) => {
    if (isSpent || !body.includes('eth_sendRawTransaction')) return
    const { params } = JSON.parse(body) as { params: [Hex] }
    if (parseTransaction(params[0]).to?.toLowerCase() !== usdc().toLowerCase()) return
    isSpent = true
    // All but one of its tokens are gone before it lands.
    const slot = keccak256(concatHex([padHex(account.address, { size: 32 }), zeroHash]))
    await world.client.setStorageAt({ address: token, index: slot, value: numberToHex(1n, { size: 32 }) })
  })
  const chain = world.open({ rpcUrl: async () => relay.url })
  const input = { privateKey: account.privateKey, call: transferCall(to, 9n), isSponsored: true }
  const result = await requireCalls(chain).send('late', input)
  const reason = `ERC20InsufficientBalance(${account.address}, 1, 9)`
  expect(result).toMatchObject({
    status: 'failed',
    txId: (await readRow('late')).txId,
    error: { reason: 'execution_reverted', revert: { type: 'contract_call', reason } },
  })
  expect(await requireCalls(world.open()).send('late', input)).toEqual(result)
  await relay.close()
})

test('behavior: twenty calls at once from one account land once each, in the order of their nonces', async () => {
  const account = newAccount()
  const to = elsewhere()
  await world.client.setBalance({ address: account.address, value: 20n })
  const keys = Array.from({ length: 20 }, (_, at) => `many:${at}`)
  let before = Promise.resolve()
  const results = keys.map((key) => {
    const sent = before.then(
      () =>
        new Promise<() => Promise<{ status: string }>>((resolve) => {
          const input = {
            privateKey: account.privateKey,
            call: { to, value: 1n, data: '0x' },
            isSponsored: true,
          }
          const done = calls().send(key, input, { onSigned: () => resolve(() => done) })
          const end = () => resolve(() => done)
          done.then(end, end)
        }),
    )
    before = sent.then(() => {})
    return sent.then((wait) => wait())
  })
  for (const result of await Promise.all(results)) expect(result).toMatchObject({ status: 'success' })
  expect(await coinsOf(to)).toBe(20n)
  const rows = await Promise.all(keys.map(readRow))
  expect(rows.map(({ nonce }) => nonce)).toEqual(keys.map((_, at) => at))
})

test('behavior: a nonce used by another transaction fails the call, which is never signed again', async () => {
  const account = newAccount()
  const to = elsewhere()
  await world.client.setBalance({ address: account.address, value: 10n ** 18n })
  const owner = privateKeyToAccount(account.key)
  let isTaken = false
  const relay = await startRelay(await world.node.rpcUrl(), async (body) => {
    if (isTaken || !body.includes('eth_sendRawTransaction')) return
    isTaken = true
    const signed = await owner.signTransaction({
      chainId: world.chain.chainId,
      nonce: 0,
      to,
      value: 1n,
      gas: 21_000n,
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: 10n ** 9n,
    })
    const hash = await world.client.sendRawTransaction({ serializedTransaction: signed })
    await world.client.waitForTransactionReceipt({ hash })
  })
  const chain = world.open({ rpcUrl: async () => relay.url })
  const input = { privateKey: account.privateKey, call: { to, value: 100n, data: '0x' }, isSponsored: true }
  const result = await requireCalls(chain).send('taken', input)
  expect(result).toEqual({
    status: 'failed',
    error: { reason: 'failed_to_land_on_chain', message: expect.stringContaining('nonce') },
  })
  expect(await requireCalls(world.open()).send('taken', input)).toEqual(result)
  expect(await coinsOf(to)).toBe(1n)
  // An abandoned call stays abandoned, and the account continues.
  await world.chain.recover()
  const next = { ...input, call: { to, value: 7n, data: '0x' } }
  expect(await calls().send('after', next)).toMatchObject({ status: 'success' })
  expect(await coinsOf(to)).toBe(8n)
  await relay.close()
})

test('behavior: if a process dies once the call is signed, another one sends the same bytes', async () => {
  const account = newAccount()
  const dead = await startRelay(
    await world.node.rpcUrl(),
    async () => {},
    (body) =>
      body.includes('eth_sendRawTransaction') ? { code: -32000, message: 'txpool is full' } : undefined,
  )
  // The account pays for its own gas, because the dead process could not send a top-up either.
  await world.client.setBalance({ address: account.address, value: 10n ** 18n })
  const chain = world.open({ rpcUrl: async () => dead.url })
  const input = { privateKey: account.privateKey, call: mintCall(account.address, 2n), isSponsored: false }
  const signed = new Promise<void>((resolve) => {
    requireCalls(chain)
      .send('orphan', input, { onSigned: resolve })
      .catch(() => {})
  })
  await signed
  const { txId } = await readRow('orphan')
  await dead.close()
  expect(await calls().send('orphan', input)).toEqual({ status: 'success', txId })
  expect(await world.tokensOf(account.address, 'usdc')).toBe(2n)
})

test("behavior: an account's reorganised transactions are sent again unchanged", async () => {
  const account = newAccount()
  await world.client.setBalance({ address: account.address, value: 10n ** 18n })
  const snapshot = await world.client.snapshot()
  const input = { privateKey: account.privateKey, call: mintCall(account.address, 2n), isSponsored: false }
  const result = await calls().send('undone', input)
  await world.client.revert({ id: snapshot })
  expect(await world.tokensOf(account.address, 'usdc')).toBe(0n)
  await world.chain.recover()
  await expect.poll(() => world.tokensOf(account.address, 'usdc')).toBe(2n)
  expect(await calls().send('undone', input)).toEqual(result)
  expect(await world.tokensOf(account.address, 'usdc')).toBe(2n)
})

test('default: balances of the known currencies, in base units', async () => {
  const address = elsewhere()
  await world.client.setBalance({ address, value: 12n })
  const funded = await wallets().fund('fund:1', { currency: 'usdxm', units: 3_500_000n, recipient: address })
  expect(funded).toMatchObject({ status: 'success' })
  expect(await wallets().getBalances(address, ['eth', 'usdc', 'usdxm', 'wif'])).toEqual({
    eth: 12n,
    usdc: 0n,
    usdxm: 3_500_000n,
  })
  // One key funds once.
  expect(
    await wallets().fund('fund:1', { currency: 'usdxm', units: 3_500_000n, recipient: address }),
  ).toEqual(funded)
  expect(await world.tokensOf(address, 'usdxm')).toBe(3_500_000n)
})

test("behavior: a test network's own tokens come from the operator's balance", async () => {
  const currency = { currency: 'usdc', address: usdc(), decimals: 6 }
  const chain = world.open({ tokens: [currency] })
  const recipient = elsewhere()
  const poor = await chain.wallets.fund('gift:1', { currency: 'usdc', units: 5n, recipient })
  expect(poor).toMatchObject({
    status: 'failed',
    error: { revert: { reason: expect.stringContaining('ERC20InsufficientBalance') } },
  })
  await wallets().fund('gift:0', { currency: 'usdc', units: 5n, recipient: world.operator })
  expect(await chain.wallets.fund('gift:2', { currency: 'usdc', units: 5n, recipient })).toMatchObject({
    status: 'success',
  })
  expect(await world.tokensOf(recipient, 'usdc')).toBe(5n)
})

test.each(['eth', 'usdc'])(
  'behavior: a payer whose gas is paid by others needs the price in %s and nothing else',
  async (currency) => {
    const payer = elsewhere()
    const input = {
      orderId: crypto.randomUUID(),
      payer,
      currency,
      units: 5n,
      deadlineMs: Date.now() + 600_000,
      isGasPaidByOthers: true,
    }
    expect(await world.chain.preparePayment(input)).toEqual({ status: 'insufficient-funds' })
    await wallets().fund(`payer:${payer}`, { currency, units: 5n, recipient: payer })
    expect(await world.chain.preparePayment(input)).toMatchObject({ status: 'ready' })
    const alone = { ...input, isGasPaidByOthers: false }
    expect(await world.chain.preparePayment(alone)).toEqual({ status: 'insufficient-funds-for-gas' })
  },
)

test('behavior: if two processes send under one key at once, one signs', async () => {
  const account = newAccount()
  const call = mintCall(account.address, 6n)
  const results = await Promise.all(
    [world.chain, world.open(), world.open()].map((chain) => {
      const privateKey = Uint8Array.from(account.privateKey)
      const sent = requireCalls(chain).send('race', { privateKey, call, isSponsored: true })
      // A caller that lends a key may erase it at once.
      privateKey.fill(0)
      return sent
    }),
  )
  expect(results[0]?.status).toBe('success')
  expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1)
  expect(await world.tokensOf(account.address, 'usdc')).toBe(6n)
})

test('behavior: a call that needs the result of an earlier one waits for it', async () => {
  const account = newAccount()
  const to = elsewhere()
  const process = await openRefused()
  await world.client.setBalance({ address: account.address, value: 10n ** 18n })
  const input = { privateKey: account.privateKey, isSponsored: false }
  await new Promise<void>((resolve) => {
    const first = { ...input, call: mintCall(account.address, 8n) }
    requireCalls(process.chain)
      .send('brings', first, { onSigned: resolve })
      .catch(() => {})
  })
  const second = calls().send('needs', { ...input, call: transferCall(to, 8n) })
  process.allow()
  expect(await second).toMatchObject({ status: 'success' })
  expect(await world.tokensOf(to, 'usdc')).toBe(8n)
  await process.close()
})

test('error: coins that an earlier call spends are not available to the next', async () => {
  const account = newAccount()
  const to = elsewhere()
  const process = await openRefused()
  await world.client.setBalance({ address: account.address, value: 10n ** 18n })
  const call = { to, value: 6n * 10n ** 17n, data: '0x' }
  const input = { privateKey: account.privateKey, call, isSponsored: false }
  await new Promise<void>((resolve) => {
    requireCalls(process.chain)
      .send('takes', input, { onSigned: resolve })
      .catch(() => {})
  })
  let isSigned = false
  const second = calls().send('lacks', input, {
    onSigned: () => {
      isSigned = true
    },
  })
  process.allow()
  expect(await second).toMatchObject({ status: 'failed', error: { reason: 'build_failed' } })
  expect(isSigned).toBe(false)
  expect(await coinsOf(to)).toBe(call.value)
  await process.close()
})

/** Opens a process whose node refuses everything until it is allowed. */
const openRefused = async () => {
  let isRefusing = true
  const relay = await startRelay(
    await world.node.rpcUrl(),
    async () => {},
    (body) =>
      isRefusing && body.includes('eth_sendRawTransaction')
        ? { code: -32000, message: 'txpool is full' }
        : undefined,
  )
  const chain = world.open({ rpcUrl: async () => relay.url })
  const allow = () => {
    isRefusing = false
  }
  return { chain, allow, close: relay.close }
}
const makeOld = (key: string, minutes: number) =>
  world.db
    .update(chainTransactions)
    .set({ createdAt: new Date(Date.now() - minutes * 60_000) })
    .where(rowOf(key))

test('behavior: a call ends as unknown after an hour without a word of it, or of what used its nonce', async () => {
  const { privateKey, address } = newAccount()
  const to = elsewhere()
  await world.client.setBalance({ address, value: 10n ** 18n })
  let isOld = false
  const relay = await startRelay(
    await world.node.rpcUrl(),
    async (body) => {
      if (isOld || !body.includes('eth_getTransactionReceipt')) return
      isOld = true
      await makeOld('silent', 61)
    },
    // It serves neither receipts nor past state.
    (body) =>
      isOld && /eth_getTransactionCount.*"0x[\da-f]{1,8}"\]/.test(body)
        ? { code: -32000, message: 'missing trie node' }
        : undefined,
    (body, answer) => {
      if (!body.includes('eth_getTransactionReceipt')) return answer
      const { id } = JSON.parse(body) as { id: number }
      return JSON.stringify({ jsonrpc: '2.0', id, result: null })
    },
  )
  const chain = world.open({ rpcUrl: async () => relay.url })
  const input = { privateKey, call: { to, value: 5n, data: '0x' }, isSponsored: false }
  const ended = await requireCalls(chain).send('silent', input)
  expect(ended).toEqual({
    status: 'failed',
    error: { reason: 'unknown', message: expect.stringContaining('may have landed') },
  })
  // It did land, and is not sent a second time.
  expect(await requireCalls(world.open()).send('silent', input)).toEqual(ended)
  expect(await coinsOf(to)).toBe(5n)
  const next = { ...input, call: { to, value: 7n, data: '0x' } }
  expect(await calls().send('after silence', next)).toMatchObject({ status: 'success' })
  expect(await coinsOf(to)).toBe(12n)
  await relay.close()
})

test('behavior: an outpriced call is signed again with its nonce, and the operator tops up the gas', async () => {
  const account = newAccount()
  const process = await openRefused()
  const input = { privateKey: account.privateKey, call: mintCall(account.address, 4n), isSponsored: true }
  // The top-up goes through another process, whose node accepts it.
  const gift = { isGiven: false }
  const signed = new Promise<void>((resolve) => {
    void expect
      .poll(
        async () =>
          (await world.db.select().from(chainTransactions).where(rowOf('gas:base-sepolia:stuck:1:0'))).length,
      )
      .toBe(1)
      .then(() => world.chain.recover())
      .then(() => makeOld('gas:base-sepolia:stuck:1:0', 2))
      .then(() => world.chain.recover())
      .then(() => {
        gift.isGiven = true
      })
    requireCalls(process.chain)
      .send('stuck', input, { onSigned: resolve })
      .catch(() => {})
  })
  await signed
  await expect.poll(() => gift.isGiven).toBe(true)
  const first = await readRow('stuck')
  const { maxFeePerGas = 0n } = parseTransaction(first.signedTransaction as Hex)
  await world.client.setNextBlockBaseFeePerGas({ baseFeePerGas: maxFeePerGas * 2n })
  await world.client.mine({ blocks: 1 })
  await makeOld('stuck', 4)
  process.allow()
  const result = await calls().send('stuck', input)
  expect(result.status).toBe('success')
  const last = await readRow('stuck')
  expect(last).toMatchObject({ nonce: first.nonce, status: 'succeeded', otherTxIds: [first.txId] })
  expect((await readRow('gas:base-sepolia:stuck:2:0')).status).toBe('succeeded')
  expect(await world.tokensOf(account.address, 'usdc')).toBe(4n)
  await process.close()
})

test('behavior: a call whose coins are permanently gone gives up its nonce, and those behind it continue', async () => {
  const account = newAccount()
  const to = elsewhere()
  await world.client.setBalance({ address: account.address, value: 10n ** 18n })
  const process = await openRefused()
  const input = {
    privateKey: account.privateKey,
    call: { to, value: 10n ** 17n, data: '0x' },
    isSponsored: true,
  }
  await new Promise<void>((resolve) => {
    requireCalls(process.chain)
      .send('broke', input, { onSigned: resolve })
      .catch(() => {})
  })
  // As if the block that brought the coins was reorganised away.
  await world.client.setBalance({ address: account.address, value: 10n ** 16n })
  await makeOld('broke', 4)
  process.allow()
  const result = await calls().send('broke', input)
  expect(result).toMatchObject({
    status: 'failed',
    error: { reason: 'failed_to_land_on_chain', message: expect.stringContaining('to spare') },
  })
  expect(await coinsOf(to)).toBe(0n)
  const next = { ...input, call: { to, value: 1n, data: '0x' } }
  expect(await calls().send('unbroke', next)).toMatchObject({ status: 'success' })
  expect(await coinsOf(to)).toBe(1n)
  await process.close()
})
