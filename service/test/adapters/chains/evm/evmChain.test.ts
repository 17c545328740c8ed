import { eq } from 'drizzle-orm'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Deposit } from '#adapters/chains/evm/artifacts/Deposit.js'
import { DepositFactory } from '#adapters/chains/evm/artifacts/DepositFactory.js'
import { PaymentRouter } from '#adapters/chains/evm/artifacts/PaymentRouter.js'
import { getDeployments, toReference } from '#adapters/chains/evm/connection/addresses.js'
import { chainTransactions } from '#base/db/tables/chainTransactions.js'
import type { PreparePaymentInput } from '#base/ports/chain.js'
import { attemptKey } from '#base/ports/write.js'
import { createMint } from '../../../helpers/createMint.js'
import { createTestChain } from '../../../helpers/createTestChain.js'
import { startRelay } from '../../../helpers/startRelay.js'

let world: Awaited<ReturnType<typeof createTestChain>>

beforeAll(async () => {
  world = await createTestChain()
})

afterAll(() => world.close())

const inTenMinutes = () => Date.now() + 600_000

const prepare = async (input: PreparePaymentInput): Promise<string> => {
  const prepared = await world.chain.preparePayment(input)
  if (prepared.status !== 'ready') throw new Error(prepared.status)
  return prepared.serializedTransaction
}

const findAll = (orderId: string, currency: string) =>
  world.chain.findPayments({
    fromBlock: 0n,
    toBlock: 1_000_000n,
    targets: [world.chain.paymentTarget({ orderId, currency })],
  })

describe('payments', () => {
  test('default', async () => {
    const payer = await world.createPayer()
    const orderId = crypto.randomUUID()
    const serialized = await prepare({
      orderId,
      payer: payer.address,
      currency: 'eth',
      units: 123_456_789n,
      deadlineMs: inTenMinutes(),
    })
    const txId = await payer.pay(serialized)
    expect(await findAll(orderId, 'eth')).toMatchObject([
      { txId, payer: payer.address, currency: 'eth', units: 123_456_789n },
    ])
  })

  test('parameters: token', async () => {
    const payer = await world.createPayer()
    await payer.mintTokens('usdc', 50_000_000n)
    const orderId = crypto.randomUUID()
    const input = {
      orderId,
      payer: payer.address,
      currency: 'usdc',
      units: 36_000_000n,
      deadlineMs: inTenMinutes(),
    }
    const txId = await payer.pay(await prepare(input))
    const [payment] = await findAll(orderId, 'usdc')
    expect(payment).toMatchObject({ txId, payer: payer.address, currency: 'usdc', units: 36_000_000n })
    const block = await world.client.getBlock({ blockTag: 'latest' })
    expect(payment?.block).toEqual({
      number: block.number,
      hash: block.hash,
      timestampMs: Number(block.timestamp) * 1000,
    })
  })

  test('behavior: blocks and transactions are found by number and hash, or not at all', async () => {
    const payer = await world.createPayer()
    const orderId = crypto.randomUUID()
    const input = { orderId, currency: 'eth', units: 3n, deadlineMs: inTenMinutes() }
    const txId = await payer.pay(await prepare({ ...input, payer: payer.address }))
    const head = await world.chain.getHead()
    expect(await world.chain.getBlock(head.number)).toEqual(head)
    expect(await world.chain.getBlock(head.number + 100n)).toBeUndefined()
    expect(await world.chain.findTransactionBlock(txId)).toBe(head.number)
    for (const unknown of [`0x${'ab'.repeat(32)}`, '0x12', 'nonsense']) {
      expect(await world.chain.findTransactionBlock(unknown)).toBeUndefined()
    }
  })

  test('behavior: a payment names its order, even with others in the same range', async () => {
    const payer = await world.createPayer()
    const orders = [crypto.randomUUID(), crypto.randomUUID()]
    for (const orderId of orders) {
      await payer.pay(
        await prepare({
          orderId,
          payer: payer.address,
          currency: 'eth',
          units: 7n,
          deadlineMs: inTenMinutes(),
        }),
      )
    }
    const targets = orders.map((orderId) => world.chain.paymentTarget({ orderId, currency: 'eth' }))
    const seen = await world.chain.findPayments({ fromBlock: 0n, toBlock: 1_000_000n, targets })
    expect(seen.map(({ target }) => target)).toEqual(targets)
  })

  test('behavior: a native payment after the quote expired reverts and moves nothing', async () => {
    const payer = await world.createPayer()
    const orderId = crypto.randomUUID()
    const serialized = await prepare({
      orderId,
      payer: payer.address,
      currency: 'eth',
      units: 5n,
      deadlineMs: Date.now() - 60_000,
    })
    const txId = await payer.pay(serialized)
    expect((await world.client.getTransactionReceipt({ hash: txId })).status).toBe('reverted')
    expect(await findAll(orderId, 'eth')).toEqual([])
  })

  test.each([
    ['eth', 0n, 0n, 'insufficient-funds'],
    ['eth', 1_000n, 0n, 'insufficient-funds-for-gas'],
    ['usdc', 10n ** 18n, 0n, 'insufficient-funds'],
    ['usdc', 0n, 1_000n, 'insufficient-funds-for-gas'],
  ])('error: %s with %s wei and %s units is %s', async (currency, nativeWei, units, status) => {
    const payer = await world.createPayer(units ? 10n ** 18n : nativeWei)
    if (units) {
      await payer.mintTokens('usdc', units)
      await world.client.setBalance({ address: payer.address, value: nativeWei })
    }
    const input = { orderId: crypto.randomUUID(), currency, units: 1_000n, deadlineMs: inTenMinutes() }
    expect(await world.chain.preparePayment({ ...input, payer: payer.address })).toEqual({ status })
  })
})

describe('payouts', () => {
  const router = () => getDeployments(world.operator, true).router.address

  const pay = async (currency: string, units: bigint) => {
    const payer = await world.createPayer()
    if (currency !== 'eth') await payer.mintTokens(currency, units)
    const orderId = crypto.randomUUID()
    await payer.pay(
      await prepare({ orderId, payer: payer.address, currency, units, deadlineMs: inTenMinutes() }),
    )
    const token = world.chain.currencies.find((known) => known.currency === currency)?.address as
      | Hex
      | undefined
    const getUnits = async (owner: Hex): Promise<bigint> =>
      token
        ? world.client.readContract({
            address: token,
            abi: erc20Abi,
            functionName: 'balanceOf',
            args: [owner],
          })
        : world.client.getBalance({ address: owner })
    return { orderId, payer: payer.address, getUnits }
  }

  test.each(['eth', 'usdc'])('default: %s is refunded to its payer, once', async (currency) => {
    const { orderId, payer, getUnits } = await pay(currency, 1_000n)
    const before = await getUnits(payer)
    const refund = { orderId, currency, units: 400n, recipient: payer }
    const first = await world.chain.refund(`refund:${orderId}`, refund)
    expect(first.status).toBe('succeeded')
    expect(await world.chain.refund(`refund:${orderId}`, refund)).toEqual(first)
    expect(await getUnits(payer)).toBe(before + 400n)
  })

  test.each(['eth', 'usdc'])(
    'behavior: another attempt at a refund of %s finds the one that succeeded',
    async (currency) => {
      const { orderId, payer, getUnits } = await pay(currency, 1_000n)
      const refund = { orderId, currency, units: 400n, recipient: payer }
      const much = { ...refund, units: 1_001n }
      const key = `again:${orderId}`
      expect((await world.chain.refund(key, much)).status).toBe('failed')
      const before = await getUnits(payer)
      const second = await world.chain.refund(attemptKey(key, 2), refund)
      expect(second.status).toBe('succeeded')
      expect(await world.chain.refund(attemptKey(key, 3), refund)).toEqual(second)
      expect(await getUnits(payer)).toBe(before + 400n)
      // As an attempt that reverted in its block is stored.
      const [paid] = await world.db
        .select()
        .from(chainTransactions)
        .where(eq(chainTransactions.key, `base-sepolia:${attemptKey(key, 2)}`))
      if (!paid) throw new Error('nothing was kept')
      const reverted = {
        key: `base-sepolia:${key}`,
        nonce: 1_000_000 + paid.nonce,
        status: 'reverted' as const,
      }
      await world.db.insert(chainTransactions).values({ ...paid, ...reverted })
      const statement = await world.chain.getStatement([{ orderId, payOutKeys: [key] }])
      await world.db.delete(chainTransactions).where(eq(chainTransactions.key, reverted.key))
      expect(statement.paidOut).toEqual([{ key, currency, units: 400n }])
    },
  )

  test('behavior: an order pays out no more than it received', async () => {
    const { orderId, payer } = await pay('eth', 1_000n)
    const refund = { orderId, currency: 'eth', units: 1_001n, recipient: payer }
    expect(await world.chain.refund(`much:${orderId}`, refund)).toEqual({
      status: 'failed',
      reason: 'MoreThanHeld(1000)',
      call: {
        functionName: 'payOut',
        arguments: [toReference(orderId), toReference(`much:${orderId}`), payer, '1001'],
        calldata: expect.stringMatching(/^0x[0-9a-f]+$/),
      },
    })
  })

  test('behavior: a payer that refuses is credited, and claims it to another address', async () => {
    const { orderId } = await pay('eth', 1_000n)
    const { address } = await world.createPayer()
    await world.client.setCode({ address, bytecode: '0x60006000fd' })
    const key = `refused:${orderId}`
    const refund = { orderId, currency: 'eth', units: 400n, recipient: address }
    const credited = await world.chain.refund(key, refund)
    expect(credited).toMatchObject({ status: 'credited', contract: router() })
    expect(await world.chain.refund(key, refund)).toEqual(credited)
    expect(await world.chain.findCreditPayOut(key)).toBeUndefined()
    const statement = () => world.chain.getStatement([{ orderId, payOutKeys: [key] }])
    const paidOut = [{ key, currency: 'eth', units: 400n }]
    expect(await statement()).toMatchObject({ paidOut, credited: paidOut })

    const { address: other } = await world.createPayer(0n)
    await world.client.impersonateAccount({ address })
    const claim = await world.client.sendUnsignedTransaction({
      from: address,
      to: router(),
      data: encodeFunctionData({ ...PaymentRouter, functionName: 'claimTo', args: [other] }),
    })
    expect((await world.client.waitForTransactionReceipt({ hash: claim })).status).toBe('success')
    expect(await world.client.getBalance({ address: other })).toBe(400n)
    expect(await world.chain.findCreditPayOut(key)).toBe(claim)
    expect(await statement()).toMatchObject({ paidOut, credited: [] })
    // Asked to send it elsewhere, the service finds that the payer has claimed it.
    const elsewhere = { payOutKey: key, recipient: world.operator }
    expect(await world.chain.payOutCredit(`credit:${key}`, elsewhere)).toEqual({
      status: 'succeeded',
      txId: claim,
    })
  })

  test('behavior: a credit is sent to another address, once', async () => {
    const { orderId } = await pay('eth', 1_000n)
    const { address } = await world.createPayer()
    await world.client.setCode({ address, bytecode: '0x60006000fd' })
    const refundKey = `stuck:${orderId}`
    const refund = { orderId, currency: 'eth', units: 400n, recipient: address }
    expect((await world.chain.refund(refundKey, refund)).status).toBe('credited')
    const { address: recipient } = await world.createPayer(0n)
    const send = (attempt: number) =>
      world.chain.payOutCredit(attemptKey(`credit:${refundKey}`, attempt), {
        payOutKey: refundKey,
        recipient,
      })
    const sent = await send(1)
    expect(sent.status).toBe('succeeded')
    expect([await send(1), await send(2)]).toEqual([sent, sent])
    expect(await world.client.getBalance({ address: recipient })).toBe(400n)
    expect(await world.chain.findCreditPayOut(refundKey)).toBe(sent.txId)
  })

  test.each(['eth', 'usdc'])(
    'behavior: the estimated fee of a refund of %s matches its cost',
    async (currency) => {
      const { orderId, payer } = await pay(currency, 1_000n)
      const input = { orderId, currency, units: 400n, recipient: payer }
      const { estimateRefundFee } = world.open()
      const fee = await estimateRefundFee(input)
      const sent = await world.chain.refund(`fee:${orderId}`, input)
      const { gasUsed, effectiveGasPrice } = await world.client.getTransactionReceipt({
        hash: sent.txId as Hex,
      })
      const paid = gasUsed * effectiveGasPrice
      expect(fee).toBeGreaterThan(paid / 2n)
      expect(fee).toBeLessThan(paid * 3n)
      // A refund that would revert costs about as much, and its estimate does not revert.
      expect(await estimateRefundFee({ ...input, units: 9_999n })).toBeGreaterThan(paid / 2n)
    },
  )

  test('behavior: the cost of a payee that burns all gas it gets is bounded and expected', async () => {
    const { orderId } = await pay('eth', 1_000n)
    const { address } = await world.createPayer()
    // Jumps to its own beginning forever.
    await world.client.setCode({ address, bytecode: '0x5b600056' })
    const refund = { orderId, currency: 'eth', units: 1n, recipient: address }
    const { address: account } = await world.createPayer()
    const { estimateRefundFee } = world.open()
    const fee = await estimateRefundFee(refund)
    const accountFee = await estimateRefundFee({ ...refund, recipient: account })
    const result = await world.chain.refund(`burner:${orderId}`, refund)
    expect(result.status).toBe('credited')
    const receipt = await world.client.getTransactionReceipt({ hash: result.txId as Hex })
    expect(receipt.gasUsed).toBeLessThan(300_000n)
    // Compared in gas, because the price changes from one block to the next: a payout to an account counts as 80,000.
    expect((fee * 80_000n) / accountFee).toBeGreaterThanOrEqual(receipt.gasUsed)
  })

  test('behavior: coins at a deposit address leave it once, and only through the operator', async () => {
    const orderId = crypto.randomUUID()
    const deposit = world.chain.paymentTarget({ orderId, currency: 'usdc' }) as Hex
    await world.client.setBalance({ address: deposit, value: 9n })
    const { address: recipient } = await world.createPayer(0n)
    const payOutCoins = (id: string, account: Hex | typeof world.operatorWallet.account) =>
      world.client.simulateContract({
        account,
        address: getDeployments(world.operator, true).depositFactory.address,
        ...DepositFactory,
        functionName: 'payOutCoins',
        args: [toReference(orderId), toReference(id), recipient, 9n],
      })
    await expect(payOutCoins('stray', recipient)).rejects.toThrow('OwnableUnauthorizedAccount')
    const { request } = await payOutCoins('stray', world.operatorWallet.account)
    const hash = await world.operatorWallet.writeContract(request)
    await world.client.waitForTransactionReceipt({ hash })
    expect(await world.client.getBalance({ address: recipient })).toBe(9n)
    expect(await world.client.getBalance({ address: deposit })).toBe(0n)
    await world.client.setBalance({ address: deposit, value: 9n })
    await expect(payOutCoins('stray', world.operatorWallet.account)).rejects.toThrow('AlreadyPaidOut')
    await expect(
      world.client.simulateContract({
        account: world.operator,
        address: deposit,
        ...Deposit,
        functionName: 'transferCoins',
        args: [recipient, 9n],
      }),
    ).rejects.toThrow('NotFactory')
  })

  test('behavior: a sweep moves the rest to the treasury, and a repeated sweep finds it', async () => {
    const { orderId, payer, getUnits } = await pay('usdc', 1_000n)
    await world.chain.refund(`part:${orderId}`, { orderId, currency: 'usdc', units: 300n, recipient: payer })
    const before = await getUnits(world.operator)
    const proceeds = { orderId, currency: 'usdc', units: 700n }
    const first = await world.chain.sweep(`sweep:${orderId}`, proceeds)
    expect(first.status).toBe('succeeded')
    expect(await world.chain.sweep(`sweep:${orderId}`, proceeds)).toEqual(first)
    expect(await getUnits(world.operator)).toBe(before + 700n)
  })

  test.each(['eth', 'usdc'])('parameters: recipient of proceeds in %s', async (currency) => {
    const { orderId, getUnits } = await pay(currency, 1_000n)
    const { address: recipient } = await world.createPayer(0n)
    const proceeds = { orderId, currency, units: 1_000n, recipient }
    expect(await world.chain.sweep(`sweep:${orderId}`, proceeds)).toMatchObject({ status: 'succeeded' })
    expect(await getUnits(recipient)).toBe(1_000n)
  })

  test.each(['eth', 'usdc'])(
    'error: a sweep of %s waits while the node shows less than the proceeds',
    async (currency) => {
      const { orderId } = await pay(currency, 1_000n)
      const sweep = (units: bigint) => world.chain.sweep(`sweep:${orderId}`, { orderId, currency, units })
      await expect(sweep(1_001n)).rejects.toMatchObject({ code: 'chain-unavailable' })
      expect(await sweep(1_000n)).toMatchObject({ status: 'succeeded' })
    },
  )
})

describe('outbox', () => {
  const countSent = () => world.client.getTransactionCount({ address: world.operator })

  test('behavior: many concurrent calls under one key are one transaction', async () => {
    const { address } = await world.createPayer()
    const { collection, contractAddress } = await world.createCollection()
    const before = await countSent()
    const tokens = [createMint({ recipient: address })]
    const other = world.open()
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 ? world.chain : other).mint(`once:${contractAddress}`, { collection, tokens }),
      ),
    )
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1)
    expect((await countSent()) - before).toBe(1)
  })

  test('behavior: many keys at once each land once, with no gap in the nonces', async () => {
    const { address } = await world.createPayer()
    // Mints of one collection would share a transaction.
    const collections = await Promise.all(Array.from({ length: 30 }, () => world.createCollection()))
    const before = await countSent()
    const results = await Promise.all(
      collections.map(({ collection }) =>
        world.chain.mint(`many:${collection.key}`, {
          collection,
          tokens: [createMint({ recipient: address })],
        }),
      ),
    )
    expect(results.every(({ status }) => status === 'succeeded')).toBe(true)
    expect((await countSent()) - before).toBe(30)
  })

  test('behavior: what was signed before a crash is sent after it', async () => {
    const { address } = await world.createPayer()
    const { collection, contractAddress } = await world.createCollection()
    const key = `crash:${contractAddress}`
    const snapshot = await world.client.snapshot()
    const tokens = [createMint({ recipient: address })]
    const sent = await world.chain.mint(key, { collection, tokens })
    // The chain forgets the transaction, and the database its outcome, as if the process was killed before
    // broadcasting.
    await world.client.revert({ id: snapshot })
    await world.db
      .update(chainTransactions)
      .set({ status: 'signed', blockNumber: null })
      .where(eq(chainTransactions.key, `base-sepolia:${key}`))
    expect(await world.chain.ownerOf({ contractAddress, tokenId: 1n })).toBeUndefined()
    expect(await world.open().mint(key, { collection, tokens })).toEqual(sent)
    expect(await world.chain.ownerOf({ contractAddress, tokenId: 1n })).toBe(address)
  })

  test('behavior: a chain that was reset gets everything again, in order', async () => {
    const { address } = await world.createPayer()
    const snapshot = await world.client.snapshot()
    const { collection, contractAddress } = await world.createCollection()
    const tokens = [createMint({ recipient: address })]
    await world.chain.mint(`lost:${contractAddress}`, { collection, tokens })
    await world.client.revert({ id: snapshot })
    await world.open().ready()
    // The node makes the block after it has accepted the transaction.
    await expect.poll(() => world.chain.ownerOf({ contractAddress, tokenId: 1n })).toBe(address)
  })

  test('behavior: a reorganised transaction that the node then refuses is sent until it lands', async () => {
    const { address } = await world.createPayer()
    const { collection, contractAddress } = await world.createCollection()
    let isFull = true
    let sendings = 0
    const relay = await startRelay(
      await world.node.rpcUrl(),
      async () => {},
      (body) => {
        if (!body.includes('eth_sendRawTransaction')) return undefined
        sendings++
        return isFull ? { code: -32000, message: 'txpool is full' } : undefined
      },
    )
    const chain = world.open({ rpcUrl: async () => relay.url })
    await chain.ready()
    const snapshot = await world.client.snapshot()
    const key = `full:${contractAddress}`
    await world.chain.mint(key, {
      collection,
      tokens: [createMint({ recipient: address })],
    })
    await world.client.revert({ id: snapshot })
    await chain.recover()
    isFull = false
    // A process may be waiting for a transaction that was signed a moment ago.
    await chain.recover()
    expect(sendings).toBe(1)
    await world.db
      .update(chainTransactions)
      .set({ createdAt: new Date(Date.now() - 61_000) })
      .where(eq(chainTransactions.key, `base-sepolia:${key}`))
    await chain.recover()
    // The node makes the block after it has accepted the transaction.
    await expect.poll(() => world.chain.ownerOf({ contractAddress, tokenId: 1n })).toBe(address)
    await relay.close()
  })

  test('error: a node of another chain is not used, whatever contracts it has', async () => {
    const chain = world.open({ chain: 'base', chainId: 8453 })
    await expect(chain.ready()).rejects.toThrow('84532, not 8453')
    await expect(chain.getHead()).rejects.toMatchObject({ code: 'chain-unavailable' })
  })

  test('error: chain-unavailable when the node is away', async () => {
    const chain = world.open()
    await chain.ready()
    await world.node.stop()
    await expect(chain.getHead()).rejects.toMatchObject({ code: 'chain-unavailable', retryAfterSeconds: 5 })
  })
})
