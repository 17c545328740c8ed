import {
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  compileTransactionMessage,
  createDefaultRpcTransport,
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  createSolanaRpcFromTransport,
  createTransactionMessage,
  decompileTransactionMessage,
  generateKeyPairSigner,
  getBase64Decoder,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  type Instruction,
  type KeyPairSigner,
  lamports,
  partiallySignTransaction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type TransactionMessage,
} from '@solana/kit'
import { getCreateAccountInstruction } from '@solana-program/system'
import {
  fetchMaybeToken,
  fetchToken,
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeAccount3Instruction,
  getMintToInstruction,
  getTransferCheckedInstruction,
  TOKEN_2022_PROGRAM_ADDRESS,
} from '@solana-program/token-2022'
import { eq, isNotNull } from 'drizzle-orm'
import { checkSolanaPayment, createSolanaRequest, getOrderAccounts } from 'kassa/chain'
import { getOrderReference, getPaymentsKey } from 'kassa/engine'
import type { Order } from 'kassa/schema'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readMint } from '#adapters/chains/solana/collections/readMint.js'
import { accountAddress } from '#adapters/chains/solana/connection/accountAddress.js'
import { TOKEN_PROGRAM_ADDRESS } from '#adapters/chains/solana/connection/derivedAddresses.js'
import { startLocalSolana } from '#adapters/chains/solana/local/startLocalSolana.js'
import { findTrace } from '#adapters/chains/solana/outbox/memo.js'
import { createPaymentSearch } from '#adapters/chains/solana/payments/findPayments.js'
import { createPaymentTerms } from '#adapters/chains/solana/payments/paymentTerms.js'
import { readStatement } from '#adapters/chains/solana/payments/readStatement.js'
import { createSolanaChain } from '#adapters/chains/solana/solanaChain.js'
import type { SolanaChainOptions } from '#adapters/chains/solana/solanaChainOptions.js'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { solanaTransactions } from '#base/db/tables/index.js'
import type { ChainPort } from '#base/ports/chain.js'
import { limits } from '../../../../../test/limits.js'
import { createTestDatabase } from '../../../helpers/createTestDatabase.js'

const sol = 1_000_000_000n
/** What the guard of a write holds until it is closed. */
const guardRent = 1_447_680n
const operatorKey = new Uint8Array(32).fill(7)
const log = { info: () => {}, warn: () => {}, error: () => {} }

let database: OpenDatabase
let node: Awaited<ReturnType<typeof startLocalSolana>>
let chain: ChainPort
let payer: KeyPairSigner
beforeAll(async () => {
  database = await createTestDatabase()
  node = await startLocalSolana({ port: 0, slotMs: 20, finalizedAfter: 6 })
  chain = createChain()
  await chain.ready()
  payer = await generateKeyPairSigner()
  await chain.wallets.fund('fund:sol', { currency: 'sol', units: 50n * sol, recipient: payer.address })
  await chain.wallets.fund('fund:usdc', { currency: 'usdc', units: 500_000_000n, recipient: payer.address })
})
afterAll(async () => {
  await node.close()
  await database.close()
})

const createChain = (options: Partial<SolanaChainOptions> = {}) =>
  createSolanaChain({
    chain: 'solana',
    db: database.db,
    log,
    isLocal: true,
    isTestnet: true,
    pollMs: 10,
    commitment: 'confirmed',
    rpcUrl: async () => node.rpcUrl,
    operatorKey,
    tokens: 'test-tokens',
    close: async () => {},
    ...options,
  })

const rpc = () => createSolanaRpc(node.rpcUrl)

const termsOf = (operator: Address) =>
  createPaymentTerms({ operator, currencies: chain.currencies }, async () => new Set())

/** Signs a prepared message as a wallet does, and sends it. */
const pay = async (serialized: string, signer = payer): Promise<string> => {
  const messageBytes = Uint8Array.from(getBase64Encoder().encode(serialized))
  const { staticAccounts } = getCompiledTransactionMessageDecoder().decode(messageBytes)
  expect(staticAccounts[0]).toBe(signer.address)
  const unsigned = { messageBytes, signatures: { [signer.address]: null } }
  const signed = await partiallySignTransaction([signer.keyPair], unsigned as never)
  const signature = await rpc()
    .sendTransaction(getBase64EncodedWireTransaction(signed as never), { encoding: 'base64' })
    .send()
  await vi.waitFor(async () => {
    const { value } = await rpc().getSignatureStatuses([signature]).send()
    expect(value[0]?.confirmationStatus).toMatch(/confirmed|finalized/)
  }, limits.conditionMs)
  return signature
}

/** Signs instructions and sends them. The signers of other accounts are in them. */
const sendAs = async (signer: KeyPairSigner, instructions: readonly Instruction[]): Promise<void> => {
  const { value: lifetime } = await rpc().getLatestBlockhash().send()
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(signer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (dated) => appendTransactionMessageInstructions(instructions, dated),
  )
  const signed = getBase64EncodedWireTransaction(await signTransactionMessageWithSigners(message))
  const signature = await rpc().sendTransaction(signed, { encoding: 'base64' }).send()
  await vi.waitFor(async () => {
    const { value } = await rpc().getSignatureStatuses([signature]).send()
    expect(value[0]?.confirmationStatus).toMatch(/confirmed|finalized/)
  }, limits.conditionMs)
}

/** Gives a token of Token-2022 that the payer holds to a new account. */
const giveAway = async (mint: Address): Promise<void> => {
  const { address: owner } = await generateKeyPairSigner()
  const tokenProgram = TOKEN_2022_PROGRAM_ADDRESS
  const [source] = await findAssociatedTokenPda({ owner: payer.address, mint, tokenProgram })
  const [destination] = await findAssociatedTokenPda({ owner, mint, tokenProgram })
  await sendAs(payer, [
    getCreateAssociatedTokenIdempotentInstruction({
      payer,
      ata: destination,
      owner,
      mint,
      tokenProgram,
    }),
    getTransferCheckedInstruction({ source, mint, destination, authority: payer, amount: 1n, decimals: 0 }),
  ])
}

const prepare = async (orderId: string, currency: string, units: bigint) => {
  const input = { orderId, currency, units, payer: payer.address, deadlineMs: Date.now() + 600_000 }
  const prepared = await chain.preparePayment(input)
  if (prepared.status !== 'ready') throw new Error(prepared.status)
  return prepared.serializedTransaction
}

const findIn = async (orderIds: readonly string[], includesEmptied: boolean) => {
  const head = await chain.getHead()
  const targets = orderIds.map((orderId) => chain.paymentTarget({ orderId, currency: 'sol' }))
  return chain.findPayments({ fromBlock: 0n, toBlock: head.number, targets, includesEmptied })
}
const find = (...orderIds: string[]) => findIn(orderIds, false)

/** Prepares a payment, and takes some of the accounts out of it that its instructions only name. */
const prepareWithout = async (
  names: readonly string[],
  ...[orderId, currency, units]: Parameters<typeof prepare>
) => {
  const prepared = await prepare(orderId, currency, units)
  const decoded = getCompiledTransactionMessageDecoder().decode(getBase64Encoder().encode(prepared))
  const { instructions, ...message } = decompileTransactionMessage(decoded) as TransactionMessage
  const left = instructions.map(({ accounts = [], ...each }) => {
    return { ...each, accounts: accounts.filter(({ address }) => !names.includes(address)) }
  })
  const changed = compileTransactionMessage({ ...message, instructions: left } as never)
  return getBase64Decoder().decode(getCompiledTransactionMessageEncoder().encode(changed))
}

const collection = { key: 'collection:p:c', standard: 'erc-721' } as const
const terms = { name: 'Teas', symbol: 'TEA', uri: 'ipfs://teas', supplyLimit: 2n, transferable: true }
const copies = { key: 'collection:p:many', standard: 'erc-1155' } as const

const mint = (
  key: string,
  recipient: string,
  tokenId: bigint,
  ref: typeof collection | typeof copies = collection,
) =>
  chain.mint(key, {
    collection: ref,
    tokens: [
      {
        recipient,
        tokenId,
        name: `Tea #${tokenId}`,
        symbol: 'TEA',
        uri: `ipfs://tea/${tokenId}`,
        mintKey: key,
      },
    ],
  })

describe('payments', () => {
  test.each([
    ['sol', 2n * sol],
    ['usdc', 12_500_000n],
  ])('an order is paid in %s, its payment is found, and its proceeds are moved', async (currency, units) => {
    const orderId = `paid-in-${currency}`
    const txId = await pay(await prepare(orderId, currency, units))
    const [seen, ...others] = await find(orderId, 'another')
    expect(others).toEqual([])
    const signers = [payer.address]
    expect(seen).toMatchObject({ txId, payer: payer.address, signers, currency, units })
    expect(seen?.target).toBe(chain.paymentTarget({ orderId, currency }))
    expect(await chain.getBlock(seen?.block.number ?? 0n)).toEqual(seen?.block)
    expect(await chain.findTransactionBlock(txId)).toBe(seen?.block.number)
    const input = [{ orderId, payOutKeys: [`sweep:${orderId}`] }]
    expect(await chain.getStatement(input)).toEqual({
      held: [{ orderId, currency, units }],
      unattributedFunds: [],
      paidOut: [],
      credited: [],
    })
    const swept = await chain.sweep(`sweep:${orderId}`, { orderId, currency, units })
    expect(swept).toMatchObject({ status: 'succeeded' })
    expect(await chain.sweep(`sweep:${orderId}`, { orderId, currency, units })).toEqual(swept)
    expect(await chain.getStatement(input)).toEqual({
      held: [],
      unattributedFunds: [],
      credited: [],
      paidOut: [{ key: `sweep:${orderId}`, currency, units }],
    })
  })

  test.each([
    ['sol', '2', 2n * sol],
    ['usdc', '12.5', 12_500_000n],
  ])(
    'the library checks what is to be signed in %s, and computes the same accounts',
    async (currency, amount, units) => {
      const orderId = 'checked'
      const serializedTransaction = await prepare(orderId, currency, units)
      const operator = accountAddress(operatorKey)
      const address = chain.currencies.find((each) => each.currency === 'usdc')?.address ?? ''
      const preparation = { chain: 'solana', payerAddress: payer.address, serializedTransaction }
      const order = {
        orderId,
        quote: { totalPrice: { amount, currency } },
        payment: { method: 'solana', currency, preparation },
      } as unknown as Order
      const rules = { operator, tokens: { usdc: { address, decimals: 6 } } }
      expect(checkSolanaPayment(order, rules)).toMatchObject({
        payerAddress: payer.address,
        currency,
        units,
        recipient: getOrderAccounts(operator, orderId, currency === 'sol' ? undefined : address).account,
        reference: getOrderReference(operator, orderId),
      })
      expect(() => checkSolanaPayment(order, { ...rules, operator: payer.address })).toThrow(
        expect.objectContaining({ code: 'pay.recipient-mismatch' }),
      )
    },
  )

  test('a transfer that a wallet makes from the library’s request is found', async () => {
    const orderId = 'requested'
    const order = {
      orderId,
      quote: { totalPrice: { amount: '2', currency: 'sol' } },
      payment: { method: 'solana', currency: 'sol' },
    } as unknown as Order
    const { uri = '' } = createSolanaRequest(order, { operator: accountAddress(operatorKey) }) ?? {}
    const { pathname, searchParams } = new URL(uri)
    expect(searchParams.get('amount')).toBe('2')
    const prepared = await prepare(orderId, 'sol', 2n * sol)
    const decoded = getCompiledTransactionMessageDecoder().decode(getBase64Encoder().encode(prepared))
    const { instructions, ...message } = decompileTransactionMessage(decoded) as TransactionMessage
    const [transfer] = instructions.filter(({ programAddress }) => /^1+$/.test(programAddress))
    const [from] = transfer?.accounts ?? []
    // What a wallet knows of the order is in the request, and it writes no memo.
    const named = searchParams.getAll('reference').map((address) => ({ address, role: AccountRole.READONLY }))
    const accounts = [from, { address: pathname, role: AccountRole.WRITABLE }, ...named]
    const changed = compileTransactionMessage({
      ...message,
      instructions: [{ ...transfer, accounts }],
    } as never)
    const txId = await pay(getBase64Decoder().decode(getCompiledTransactionMessageEncoder().encode(changed)))
    expect(await find(orderId)).toMatchObject([
      { txId, payer: payer.address, currency: 'sol', units: 2n * sol },
    ])
  })

  test.each([1n, 890_879n])(
    'a surplus of %s lamports neither holds back the proceeds, nor is lost, nor costs the operator',
    async (surplus) => {
      const orderId = `dust-${surplus}`
      const key = (of: string) => `${of}:${orderId}`
      await pay(await prepare(orderId, 'sol', 2n * sol + surplus))
      const operator = accountAddress(operatorKey)
      const balance = async () => (await chain.wallets.getBalances(operator, ['sol'])).sol ?? 0n
      const input = [{ orderId, payOutKeys: ['sweep', 'merchant', 'refund'].map(key) }]
      const merchant = (await generateKeyPairSigner()).address
      const fees = 50_000n + guardRent
      let before = await balance()
      const half = { orderId, currency: 'sol', units: sol }
      expect(await chain.sweep(key('sweep'), half)).toMatchObject({ status: 'succeeded' })
      expect(before + sol - (await balance())).toBeLessThan(fees)
      before = await balance()
      expect(await chain.sweep(key('merchant'), { ...half, recipient: merchant })).toMatchObject({
        status: 'succeeded',
      })
      expect(before + surplus - (await balance())).toBeLessThan(fees)
      expect(await chain.wallets.getBalances(merchant, ['sol'])).toEqual({ sol })
      const swept = [
        { key: key('sweep'), currency: 'sol', units: sol },
        { key: key('merchant'), currency: 'sol', units: sol },
      ]
      const { paidOut, ...kept } = await chain.getStatement(input)
      expect(kept).toEqual({
        held: [{ orderId, currency: 'sol', units: surplus }],
        unattributedFunds: [],
        credited: [],
      })
      expect(paidOut).toHaveLength(2)
      expect(paidOut).toEqual(expect.arrayContaining(swept))
      // The operator has no more of it than that.
      const refund = (units: bigint, attempt = '') =>
        chain.refund(`${key('refund')}${attempt}`, {
          orderId,
          currency: 'sol',
          units,
          recipient: payer.address,
        })
      await expect(refund(surplus + 1n, ':more')).rejects.toMatchObject({ code: 'chain-unavailable' })
      const owned = async () => (await chain.wallets.getBalances(payer.address, ['sol'])).sol ?? 0n
      const had = await owned()
      expect(await refund(surplus)).toMatchObject({ status: 'succeeded' })
      expect((await owned()) - had).toBe(surplus)
      const last = await chain.getStatement(input)
      expect([last.held, last.unattributedFunds]).toEqual([[], []])
      expect(last.paidOut).toContainEqual({ key: key('refund'), currency: 'sol', units: surplus })
      await expect(refund(surplus, ':again')).rejects.toMatchObject({ code: 'chain-unavailable' })
    },
  )

  test.each([
    ['sol', 3n * sol],
    ['usdc', 7n],
  ])('a payment in %s is refunded to its payer, once', async (currency, units) => {
    const orderId = `refund-${currency}`
    await pay(await prepare(orderId, currency, units))
    const before = await chain.wallets.getBalances(payer.address, [currency])
    const refund = () =>
      chain.refund(`refund:${currency}`, { orderId, currency, units, recipient: payer.address })
    const results = await Promise.all([refund(), refund(), refund()])
    expect(new Set(results.map((each) => JSON.stringify(each))).size).toBe(1)
    expect(results[0]).toMatchObject({ status: 'succeeded' })
    const after = await chain.wallets.getBalances(payer.address, [currency])
    expect((after[currency] ?? 0n) - (before[currency] ?? 0n)).toBe(units)
  })

  test.each([
    ['neither', 'sol', 2n * sol],
    ['neither', 'usdc', 3n],
    ['the order', 'sol', 2n * sol],
    ['the order', 'usdc', 3n],
    ['the deployment', 'sol', 2n * sol],
    ['the deployment', 'usdc', 3n],
  ])('a payment that names %s is found by where it arrived, in %s', async (named, currency, units) => {
    const orderId = `names-${named}-${currency}`
    const operator = accountAddress(operatorKey)
    const names = { order: getOrderReference(operator, orderId), deployment: getPaymentsKey(operator) }
    const left = Object.entries(names).flatMap(([name, address]) => (named.endsWith(name) ? [] : [address]))
    const txId = await pay(await prepareWithout(left, orderId, currency, units))
    const target = chain.paymentTarget({ orderId, currency })
    const paid = { txId, payer: payer.address, currency, units, target }
    expect(await find('another', orderId)).toMatchObject([paid])
    const input = [{ orderId, payOutKeys: [`sweep:${orderId}`] }]
    expect(await chain.getStatement(input)).toMatchObject({
      held: [{ orderId, currency, units }],
      unattributedFunds: [],
    })
    const swept = await chain.sweep(`sweep:${orderId}`, { orderId, currency, units })
    expect(swept).toMatchObject({ status: 'succeeded' })
    expect(await chain.getStatement(input)).toMatchObject({ held: [], unattributedFunds: [] })
    // A search that may come long after looks into accounts that hold nothing, too.
    expect(await findIn([orderId], true)).toMatchObject([paid])
    expect(await find(orderId)).toHaveLength(named === 'the deployment' ? 1 : 0)
  })

  test('tokens that were minted into an order’s account are no payment, and can be sent back', async () => {
    const orderId = 'minted-into'
    await pay(await prepare(orderId, 'usdc', 5n))
    const operator = await createKeyPairSignerFromPrivateKeyBytes(operatorKey)
    const mint = chain.currencies.find(({ currency }) => currency === 'usdc')?.address as Address
    const token = getOrderAccounts(operator.address, orderId, mint).account as Address
    await sendAs(operator, [
      getMintToInstruction(
        { mint, token, mintAuthority: operator, amount: 7n },
        { programAddress: TOKEN_PROGRAM_ADDRESS },
      ),
    ])
    expect(await find(orderId)).toMatchObject([{ units: 5n }])
    const input = [{ orderId, payOutKeys: [] }]
    expect(await chain.getStatement(input)).toMatchObject({
      held: [{ orderId, units: 5n }],
      unattributedFunds: [{ orderId, currency: 'usdc', units: 7n }],
    })
    const returned = { orderId, currency: 'usdc', units: 7n, recipient: payer.address }
    expect(await chain.sendUnattributed('return', returned)).toMatchObject({ status: 'succeeded' })
    expect(await chain.getStatement(input)).toMatchObject({ held: [{ units: 5n }], unattributedFunds: [] })
  })

  test('a search reads several transactions at once, never many, and leaves out accounts at rest', async () => {
    const operator = accountAddress(operatorKey)
    await pay(await prepareWithout([getPaymentsKey(operator)], 'resting', 'sol', sol))
    const { number } = await chain.getHead()
    const transport = createDefaultRpcTransport({ url: node.rpcUrl })
    const counts = { reading: 0, most: 0, listed: 0 }
    const { account } = getOrderAccounts(operator, 'resting', undefined)
    const counted = createSolanaRpcFromTransport((async (request: Parameters<typeof transport>[0]) => {
      const { method, params } = request.payload as { method: string; params: readonly unknown[] }
      const isReading = method === 'getTransaction'
      if (params[0] === account) counts.listed++
      if (isReading) counts.most = Math.max(counts.most, ++counts.reading)
      try {
        return await transport(request)
      } finally {
        if (isReading) counts.reading--
      }
    }) as typeof transport)
    const search = createPaymentSearch(termsOf(operator), log)
    const look = (fromBlock: bigint) =>
      search(counted, (slot) => chain.getBlock(slot), {
        fromBlock,
        targets: [account],
        toBlock: number,
      })
    expect(await look(0n)).toHaveLength(1)
    expect(counts.most).toBeGreaterThan(1)
    expect(counts.most).toBeLessThanOrEqual(16)
    expect(counts.listed).toBe(1)
    // Since this block nothing came.
    const { number: later } = await chain.getHead()
    expect(await look(later + 1n)).toEqual([])
    expect(await look(later + 1n)).toEqual([])
    expect(counts.listed).toBe(2)
    // What an earlier search did not cover, and what comes, is looked for.
    expect(await look(0n)).toHaveLength(1)
    expect(counts.listed).toBe(3)
  })

  test('a transaction whose version the node does not show holds up neither the search nor the statement', async () => {
    const operator = accountAddress(operatorKey)
    const hidden = await pay(await prepare('hidden', 'sol', sol))
    await pay(await prepare('shown', 'sol', sol))
    const transport = createDefaultRpcTransport({ url: node.rpcUrl })
    let answer: object = { error: { code: -32015, message: 'Transaction version (1) is not supported' } }
    const changed = createSolanaRpcFromTransport((request) => {
      const { method, params } = request.payload as { method: string; params: readonly unknown[] }
      const isHidden = method === 'getTransaction' && params[0] === hidden
      return (isHidden ? { jsonrpc: '2.0', id: '1', ...answer } : transport(request)) as ReturnType<
        typeof transport<never>
      >
    })
    const error = vi.fn()
    const terms = termsOf(operator)
    const search = createPaymentSearch(terms, { error })
    const owners = ['hidden', 'shown'].map((orderId) => getOrderAccounts(operator, orderId, undefined).owner)
    const { number: toBlock } = await chain.getHead()
    const look = (from = search) =>
      from(changed, (slot) => chain.getBlock(slot), { fromBlock: 0n, toBlock, targets: owners })
    expect(await look()).toMatchObject([{ target: owners[1], units: sol }])
    expect(await look()).toHaveLength(1)
    expect(error).toHaveBeenCalledTimes(1)
    const input = [{ orderId: 'hidden', payOutKeys: [] }]
    const statement = await readStatement({ rpc: changed, db: database.db, chain: 'solana' }, terms, input)
    expect(statement.held).toEqual([{ orderId: 'hidden', currency: 'sol', units: sol }])
    const refund = { account: owners[0] as Address, key: 'solana:refund', feePayer: operator }
    expect(await findTrace(changed, refund)).toBeUndefined()
    // A node that is behind shows it later.
    answer = { result: null }
    await expect(look(createPaymentSearch(terms, { error }))).rejects.toThrow('does not show it')
  })

  test('the fee of a refund includes the rent of a token account that the payer lacks', async () => {
    const lacking = (await generateKeyPairSigner()).address
    const estimate = (currency: string, recipient: string) =>
      chain.estimateRefundFee({ orderId: 'fees', currency, units: 5n, recipient })
    expect(await estimate('usdc', payer.address)).toBe(10_000n)
    expect(await estimate('usdc', lacking)).toBe(10_000n + 2_039_280n)
    expect(await estimate('sol', lacking)).toBe(10_000n)
  })

  describe('a refund in a token whose payer has closed the account that paid', () => {
    const mintOf = () => chain.currencies.find(({ currency }) => currency === 'usdc')?.address as Address
    const programs = { programAddress: TOKEN_PROGRAM_ADDRESS }
    const heldAt = async (account: Address) => (await fetchMaybeToken(rpc(), account)).exists
    /** Pays 5 million units to an order, whose refund goes to an account without tokens. */
    const payFor = async (orderId: string) => {
      const recipient = await generateKeyPairSigner()
      await pay(await prepare(orderId, 'usdc', 5_000_000n))
      const refund = (feeUnits?: bigint) =>
        chain.refund(`refund:${orderId}`, {
          orderId,
          currency: 'usdc',
          units: 5_000_000n,
          recipient: recipient.address,
          ...(feeUnits !== undefined && { feeUnits }),
        })
      return { recipient, refund, estimate: { orderId, currency: 'usdc', units: 5_000_000n } }
    }

    test('goes to another account of the payer, and the operator opens none', async () => {
      const { recipient, refund, estimate } = await payFor('other-account')
      const other = await generateKeyPairSigner()
      const space = 165n
      const amount = await rpc().getMinimumBalanceForRentExemption(space).send()
      await sendAs(payer, [
        getCreateAccountInstruction({
          payer,
          newAccount: other,
          lamports: amount,
          space,
          programAddress: TOKEN_PROGRAM_ADDRESS,
        }),
        getInitializeAccount3Instruction(
          { account: other.address, mint: mintOf(), owner: recipient.address },
          programs,
        ),
      ])
      expect(await chain.estimateRefundRent?.({ ...estimate, recipient: recipient.address })).toBe(0n)
      expect(await refund()).toMatchObject({ status: 'succeeded' })
      const account = await fetchToken(rpc(), other.address)
      expect(account.data.amount).toBe(5_000_000n)
      const owned = { owner: recipient.address, mint: mintOf(), tokenProgram: TOKEN_PROGRAM_ADDRESS }
      const [ata] = await findAssociatedTokenPda(owned)
      expect(await heldAt(ata)).toBe(false)
    })

    test('opens one for what is taken off, and no other', async () => {
      const orderId = 'no-account'
      const { recipient, refund, estimate } = await payFor(orderId)
      expect(await chain.estimateRefundRent?.({ ...estimate, recipient: recipient.address })).toBe(2_039_280n)
      await expect(refund()).rejects.toMatchObject({ code: 'chain-unavailable' })
      await expect(refund(5_000_000n)).rejects.toMatchObject({ code: 'chain-unavailable' })
      const operator = accountAddress(operatorKey)
      const before = (await chain.wallets.getBalances(operator, ['usdc'])).usdc ?? 0n
      expect(await refund(300_000n)).toMatchObject({ status: 'succeeded', feeUnits: 300_000n })
      // A repeated request says the same, although the account is there now.
      expect(await refund()).toMatchObject({ status: 'succeeded', feeUnits: 300_000n })
      expect(await chain.wallets.getBalances(recipient.address, ['usdc'])).toEqual({ usdc: 4_700_000n })
      expect(await chain.wallets.getBalances(operator, ['usdc'])).toEqual({ usdc: before + 300_000n })
      const key = `refund:${orderId}`
      const { held, paidOut } = await chain.getStatement([{ orderId, payOutKeys: [key] }])
      expect(held).toEqual([])
      expect(paidOut).toEqual([{ key, currency: 'usdc', units: 5_000_000n }])
    })
  })

  test('a token account whose opening the chain has lost is opened again', async () => {
    const orderId = 'lost-opening'
    const { address: token } = chain.currencies.find(({ currency }) => currency === 'usdc') ?? {}
    await database.db.insert(solanaTransactions).values({
      key: `solana:open:${orderId}:${token}:0`,
      chain: 'solana',
      signedTransaction: 'AA==',
      signature: 'lost',
      lastValidBlockHeight: 1n,
      status: 'succeeded',
      slot: 1n,
    })
    await pay(await prepare(orderId, 'usdc', 5n))
    expect(await find(orderId)).toMatchObject([{ currency: 'usdc', units: 5n }])
  })

  describe('the token accounts that orders make the operator open', () => {
    const openAt = (at: ChainPort, orderId: string, of: { projectId?: string; network?: string } = {}) =>
      at.preparePayment({
        orderId,
        currency: 'usdc',
        units: 5n,
        payer: payer.address,
        deadlineMs: Date.now() + 600_000,
        ...of,
      })
    const refused = expect.objectContaining({
      code: 'rate-limited',
      message: expect.stringMatching(/^payment\.currency: /),
    })

    test('are limited by network, project and chain', async () => {
      const rows = await database.db.select().from(solanaTransactions)
      const before = rows.filter(({ key, status }) => /^solana:open:/.test(key) && status !== 'failed').length
      const limited = createChain({ openingsPerHour: { perProject: 2, perChain: before + 3 } })
      const [one, other] = [crypto.randomUUID(), crypto.randomUUID()]
      const open = (orderId: string, projectId: string, network?: string) =>
        openAt(limited, orderId, { projectId, ...(network && { network }) })
      await open('cap-1', one, '203.0.113.1')
      await expect(open('cap-2', one, '203.0.113.1')).rejects.toEqual(refused)
      // An account that is open costs nothing more.
      await open('cap-1', one, '203.0.113.1')
      await open('cap-3', one)
      await expect(open('cap-4', one)).rejects.toEqual(refused)
      await open('cap-5', other, '203.0.113.1')
      await expect(open('cap-6', other)).rejects.toEqual(refused)
      const yesterday = new Date(Date.now() - 25 * 60 * 60_000)
      await database.db.update(solanaTransactions).set({ createdAt: yesterday })
      await open('cap-6', other)
      // At the same moment, too.
      const results = await Promise.allSettled(['cap-7', 'cap-8', 'cap-9'].map((id) => open(id, one)))
      expect(results.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(2)
    })

    test('are not opened with what refunds need', async () => {
      const error = vi.fn()
      const key = new Uint8Array(32).fill(8)
      const small = createChain({
        chain: 'solana-small',
        operatorKey: key,
        isLocal: false,
        log: { ...log, error },
        tokens: chain.currencies.filter(({ currency }) => currency === 'usdc'),
      })
      // Twenty refunds, and one account.
      const units = 20n * 3_500_000n + 2_060_000n
      await chain.wallets.fund('fund:small', { currency: 'sol', units, recipient: accountAddress(key) })
      await openAt(small, 'reserve-1')
      expect(error).not.toHaveBeenCalled()
      await expect(openAt(small, 'reserve-2')).rejects.toEqual(refused)
      expect(error).toHaveBeenCalledWith(
        expect.objectContaining({ operator: accountAddress(key) }),
        expect.stringContaining('refunds need'),
      )
      expect(await openAt(small, 'reserve-1')).toMatchObject({ status: 'ready' })
    })
  })

  test('the token account of an order is closed with its last sweep, and one that nobody pays after an hour', async () => {
    const open = async (orderId: string) => {
      await prepare(orderId, 'usdc', 5n)
      const rows = await database.db.select().from(solanaTransactions)
      return rows.filter(({ key }) => key.startsWith(`solana:open:${orderId}`))
    }
    const operatorBalance = await chain.getOperatorBalance()
    await open('swept')
    await pay(await prepare('swept', 'usdc', 5n))
    await chain.sweep('sweep:closing', { orderId: 'swept', currency: 'usdc', units: 5n })
    const fees = operatorBalance - (await chain.getOperatorBalance())
    // The first sweep opens the operator's own token account too, before. The guard of this one still has its rent.
    expect(fees).toBeLessThan(guardRent + 50_000n)

    expect(await open('idle')).toHaveLength(1)
    await chain.recover()
    expect(await open('idle')).toHaveLength(1)
    const earlier = new Date(Date.now() - 61 * 60_000)
    await database.db.update(solanaTransactions).set({ createdAt: earlier })
    // Only what is final is closed, and each chain looks once an hour.
    await vi.waitFor(async () => {
      await createChain().recover()
      const rows = await database.db.select().from(solanaTransactions)
      const isClosed = rows.some(
        ({ key, status }) => /^solana:close:idle:/.test(key) && status === 'succeeded',
      )
      expect(isClosed).toBe(true)
    }, limits.conditionMs)
    // It is opened once more for a buyer who comes back.
    expect(await open('idle')).toHaveLength(2)
    await pay(await prepare('idle', 'usdc', 5n))
    expect(await find('idle')).toHaveLength(1)
  })

  test('what a node that is behind does not show yet is moved later, under the same key', async () => {
    const orderId = 'behind'
    const sweep = () => chain.sweep('sweep:behind', { orderId, currency: 'sol', units: sol })
    await expect(sweep()).rejects.toMatchObject({ code: 'chain-unavailable' })
    await pay(await prepare(orderId, 'sol', sol))
    expect(await sweep()).toMatchObject({ status: 'succeeded' })
  })

  test('a payer without funds is told', async () => {
    const poor = await generateKeyPairSigner()
    const input = { orderId: 'poor', payer: poor.address, deadlineMs: Date.now() + 60_000, units: sol }
    expect(await chain.preparePayment({ ...input, currency: 'sol' })).toEqual({
      status: 'insufficient-funds',
    })
    await rpc().requestAirdrop(poor.address, lamports(sol)).send()
    await expect.poll(() => chain.wallets.getBalances(poor.address, ['sol'])).toEqual({ sol })
    expect(await chain.preparePayment({ ...input, currency: 'sol' })).toEqual({
      status: 'insufficient-funds-for-gas',
    })
    expect(await chain.preparePayment({ ...input, currency: 'usdc' })).toEqual({
      status: 'insufficient-funds',
    })
    await expect(chain.preparePayment({ ...input, currency: 'sol', units: 1n })).rejects.toThrow(
      'payment.currency: sol accepts no payment under 890880 lamports on solana',
    )
  })
})

describe('collections', () => {
  beforeAll(async () => {
    expect(await chain.createCollection('create', { collection, terms })).toMatchObject({
      status: 'succeeded',
    })
    expect(await chain.createCollection('create:many', { collection: copies, terms })).toMatchObject({
      status: 'succeeded',
    })
  })

  test('a token is a member of its group, and nobody can mint another of it', async () => {
    const holder = (await generateKeyPairSigner()).address
    expect(await mint('mint:1', holder, 1n)).toMatchObject({ status: 'succeeded' })
    const address = chain.tokenAddress(collection, 1n) ?? ''
    const group = chain.collectionAddress(collection)
    expect(await chain.wallets.listHeld?.(holder)).toEqual([
      { mint: address, supply: 1n, group, uri: 'ipfs://tea/1' },
    ])
    expect(await chain.wallets.findOwner({ contract: address, tokenId: '1' })).toMatchObject({
      owner: holder,
      group,
    })
    expect(await readMint(rpc(), address as Address)).toMatchObject({ supply: 1n, isOpen: false })
    expect(await mint('mint:again', holder, 1n)).toMatchObject({ status: 'failed' })
  })

  test('the group holds no more members than its limit, until the limit is raised', async () => {
    const holder = (await generateKeyPairSigner()).address
    expect(await mint('mint:2', holder, 2n)).toMatchObject({ status: 'succeeded' })
    expect(await mint('mint:3', holder, 3n)).toMatchObject({ status: 'failed' })
    const raised = { ...terms, name: 'More teas, with a longer name', supplyLimit: 3n }
    const update = { collection, revision: 1n, terms: raised }
    const updated = await chain.updateCollection('update:1', update)
    expect(updated).toMatchObject({ status: 'succeeded' })
    expect(await chain.updateCollection('update:late', update)).toMatchObject({ status: 'succeeded' })
    expect(await mint('mint:3#2', holder, 3n)).toMatchObject({ status: 'succeeded' })
  })

  test('copies of a semi-fungible token share its mint', async () => {
    const [one, other] = await Promise.all([generateKeyPairSigner(), generateKeyPairSigner()])
    const token = { tokenId: 1n, name: 'Copy', symbol: 'TEA', uri: 'ipfs://copy' }
    const tokens = [one, one, other].map(({ address: recipient }, at) => {
      return { ...token, recipient, mintKey: `copy:${at}` }
    })
    expect(chain.countMints(copies, tokens)).toBe(3)
    expect(await chain.mint('copies', { collection: copies, tokens })).toMatchObject({ status: 'succeeded' })
    expect(await mint('more', one.address, 1n, copies)).toMatchObject({ status: 'succeeded' })
    expect(await chain.wallets.listHeld?.(one.address)).toMatchObject([{ supply: 4n }])
    const contract = chain.tokenAddress(copies, 1n) ?? ''
    expect(await chain.wallets.findOwner({ contract, tokenId: '1' })).toBe('semi-fungible')
  })

  test.each(['erc-721', 'erc-1155'] as const)(
    'the chain refuses to transfer a bound token: %s',
    async (standard) => {
      const ref = { key: `collection:p:bound-${standard}`, standard, isTransferable: false }
      const boundTerms = { ...terms, supplyLimit: 0n, transferable: false }
      await chain.createCollection(`create:bound-${standard}`, { collection: ref, terms: boundTerms })
      // The longest texts, which have room beside the extension.
      const token = {
        recipient: payer.address,
        tokenId: 1n,
        mintKey: `bound:${standard}`,
        name: 'n'.repeat(64),
        symbol: 's'.repeat(10),
        uri: `ipfs://${'u'.repeat(59)}`,
      }
      const minted = await chain.mint(`mint:bound-${standard}`, { collection: ref, tokens: [token] })
      expect(minted).toMatchObject({ status: 'succeeded' })
      const mintAddress = (chain.tokenAddress(ref, 1n) ?? '') as Address
      const bound = await readMint(rpc(), mintAddress)
      expect(bound).toMatchObject({ supply: 1n, metadata: { name: token.name, uri: token.uri } })
      // NonTransferable, of the errors of Token-2022.
      await expect(giveAway(mintAddress)).rejects.toMatchObject({
        cause: { context: { code: 37, index: 1 } },
      })
      const free = (await mint(`mint:free-${standard}`, payer.address, 77n, copies)).status
      expect(free).toBe('succeeded')
      await giveAway((chain.tokenAddress(copies, 77n) ?? '') as Address)
    },
  )

  test('a token is updated, and an older change never undoes a newer one', async () => {
    const holder = (await generateKeyPairSigner()).address
    await mint('mint:9', holder, 9n, copies)
    const update = (revision: bigint, uri: string) =>
      chain.updateToken(`update:9:${revision}`, {
        collection: copies,
        tokenId: 9n,
        revision,
        uri,
        name: 'Oolong',
      })
    expect(await update(2n, `ipfs://${'long'.repeat(15)}`)).toMatchObject({ status: 'succeeded' })
    expect(await update(1n, 'ipfs://old')).toMatchObject({ status: 'succeeded' })
    expect(await chain.wallets.listHeld?.(holder)).toMatchObject([{ uri: `ipfs://${'long'.repeat(15)}` }])
  })
})

describe('guards', () => {
  const listKeys = async (isGuarded: boolean) =>
    (await database.db.select().from(solanaTransactions))
      .filter(({ guard }) => (guard !== null) === isGuarded)
      .map(({ key }) => key)

  test('what could happen twice has a guard, and what its own accounts allow once has none', async () => {
    const orderId = 'guarded'
    const funding = { currency: 'sol', units: 10n * sol, recipient: payer.address }
    await chain.wallets.fund('guard:fund', funding)
    await pay(await prepare(orderId, 'sol', 4n * sol))
    const input = { orderId, currency: 'sol', recipient: payer.address }
    const privateKey = new Uint8Array(32).fill(9)
    const holder = accountAddress(privateKey)
    await mint('guard:copies', holder, 77n, copies)
    await mint('guard:copies:2', holder, 77n, copies)
    const token = chain.tokenAddress(copies, 77n) ?? ''
    const ends = [
      await chain.refund('guard:refund', { ...input, units: sol }),
      await chain.refund('guard:treasury', { ...input, units: 2n * sol, isFromTreasury: true }),
      await chain.sendUnattributed('guard:return', { ...input, units: sol }),
      await chain.sweep('guard:sweep', { orderId, currency: 'sol', units: sol }),
      await chain.wallets.messages?.burn('guard:burn', { token, privateKey }),
    ]
    expect(ends.map((end) => end?.status)).toEqual([...new Array(4).fill('succeeded'), 'success'])
    const guarded = ['fund', 'refund', 'treasury', 'return', 'sweep', 'burn', 'copies', 'copies:2']
    expect(await listKeys(true)).toEqual(expect.arrayContaining(guarded.map((key) => `solana:guard:${key}`)))
    const own = [`token:${token}`, `erc-1155:${copies.key}`, 'test-token:usdc']
    expect(await listKeys(false)).toEqual(expect.arrayContaining(own.map((key) => `solana:${key}`)))
    // The rent of a guard is no part of what was paid out.
    const payOutKeys = ['guard:refund', 'guard:treasury', 'guard:return', 'guard:sweep']
    expect((await chain.getStatement([{ orderId, payOutKeys }])).paidOut).toEqual(
      expect.arrayContaining([
        { key: 'guard:refund', currency: 'sol', units: sol },
        { key: 'guard:treasury', currency: 'sol', units: 2n * sol },
        { key: 'guard:return', currency: 'sol', units: sol },
        { key: 'guard:sweep', currency: 'sol', units: sol },
      ]),
    )
    expect((await chain.getStatement([{ orderId, payOutKeys }])).paidOut).toHaveLength(4)
  })

  test('recover records what became of a transaction that no job follows', async () => {
    const key = 'solana:guard:refund'
    const ofKey = eq(solanaTransactions.key, key)
    const find = async () => (await database.db.select().from(solanaTransactions).where(ofKey))[0]
    const before = await find()
    expect(before).toMatchObject({ status: 'succeeded' })
    const open = { status: 'signed', slot: null, lastValidBlockHeight: 1n } as const
    await database.db.update(solanaTransactions).set(open).where(ofKey)
    await createChain().recover()
    expect(await find()).toEqual({ ...before, lastValidBlockHeight: 1n })
  })

  test('recover closes them, and the operator has their rent again', async () => {
    const count = (await listKeys(true)).length
    const before = await chain.getOperatorBalance()
    await database.db
      .update(solanaTransactions)
      .set({ guardSignedAt: new Date(Date.now() - 16 * 60_000), lastValidBlockHeight: 1n })
      .where(isNotNull(solanaTransactions.guard))
    await vi.waitFor(async () => {
      await createChain().recover()
      const rows = await database.db.select().from(solanaTransactions)
      const open = rows.filter(({ guard, guardClosedAt, status }) => {
        return guard !== null && status === 'succeeded' && !guardClosedAt
      })
      expect(open).toEqual([])
    }, limits.conditionMs)
    const returned = (await chain.getOperatorBalance()) - before
    const closed = await database.db
      .select()
      .from(solanaTransactions)
      .where(isNotNull(solanaTransactions.guardClosedAt))
    expect(closed.length).toBeGreaterThan(count / 2)
    const fees = BigInt(Math.ceil(closed.length / 12) + 1) * 5_000n
    expect(returned).toBeGreaterThanOrEqual(BigInt(closed.length) * guardRent - fees)
  })
})
