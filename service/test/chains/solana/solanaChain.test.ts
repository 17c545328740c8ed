import {
  AccountRole,
  type Address,
  compileTransactionMessage,
  createDefaultRpcTransport,
  createSolanaRpc,
  createSolanaRpcFromTransport,
  decompileTransactionMessage,
  generateKeyPairSigner,
  getBase64Decoder,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  type KeyPairSigner,
  lamports,
  partiallySignTransaction,
  type Signature,
  type TransactionMessage,
} from '@solana/kit'
import { eq, isNotNull } from 'drizzle-orm'
import { checkSolanaPayment, createSolanaRequest } from 'kassa/chain'
import type { Order } from 'kassa/schema'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { limits } from '../../../../test/limits.js'
import { readMint } from '../../../src/chains/solana/collections/readMint.js'
import { accountAddress } from '../../../src/chains/solana/connection/accountAddress.js'
import {
  deriveOrderAccount,
  derivePaymentsKey,
  deriveReference,
} from '../../../src/chains/solana/connection/derivedAddresses.js'
import { startLocalSolana } from '../../../src/chains/solana/local/startLocalSolana.js'
import { findTrace } from '../../../src/chains/solana/outbox/memo.js'
import { createPaymentSearch } from '../../../src/chains/solana/payments/findPayments.js'
import { readStatement } from '../../../src/chains/solana/payments/readStatement.js'
import { createSolanaChain } from '../../../src/chains/solana/solanaChain.js'
import type { OpenDatabase } from '../../../src/db/openedDatabase.js'
import { solanaTransactions } from '../../../src/db/tables/index.js'
import type { ChainPort } from '../../../src/ports/chain.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'

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
  await chain.wallets.fund('fund:sol', { currency: 'sol', units: 10n * sol, recipient: payer.address })
  await chain.wallets.fund('fund:usdc', { currency: 'usdc', units: 500_000_000n, recipient: payer.address })
})
afterAll(async () => {
  await node.close()
  await database.close()
})

const createChain = () =>
  createSolanaChain({
    ...{
      chain: 'solana',
      db: database.db,
      log,
      isLocal: true,
      isTestnet: true,
      pollMs: 10,
      commitment: 'confirmed',
    },
    ...{ rpcUrl: async () => node.rpcUrl, operatorKey, tokens: 'test-tokens' },
    close: async () => {},
  })

const rpc = () => createSolanaRpc(node.rpcUrl)

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

const prepare = async (orderId: string, currency: string, units: bigint) => {
  const input = { orderId, currency, units, payer: payer.address, deadlineMs: Date.now() + 600_000 }
  const prepared = await chain.preparePayment(input)
  if (prepared.status !== 'ready') throw new Error(prepared.status)
  return prepared.serializedTransaction
}

const find = async (...orderIds: string[]) => {
  const head = await chain.getHead()
  const targets = orderIds.map((orderId) => chain.paymentTarget({ orderId, currency: 'sol' }))
  return chain.findPayments({ fromBlock: 0n, toBlock: head.number, targets })
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
  ])(
    'an order is paid in %s, found by its reference, and its proceeds are moved',
    async (currency, units) => {
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
        ...{ held: [{ orderId, currency, units }], unattributedFunds: [], paidOut: [], credited: [] },
      })
      const swept = await chain.sweep(`sweep:${orderId}`, { orderId, currency, units })
      expect(swept).toMatchObject({ status: 'succeeded' })
      expect(await chain.sweep(`sweep:${orderId}`, { orderId, currency, units })).toEqual(swept)
      expect(await chain.getStatement(input)).toEqual({
        ...{ held: [], unattributedFunds: [], credited: [] },
        paidOut: [{ key: `sweep:${orderId}`, currency, units }],
      })
    },
  )

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
        ...{ orderId, quote: { totalPrice: { amount, currency } } },
        payment: { method: 'solana', currency, preparation },
      } as unknown as Order
      const rules = { operator, tokens: { usdc: { address, decimals: 6 } } }
      expect(checkSolanaPayment(order, rules)).toMatchObject({
        ...{ payerAddress: payer.address, currency, units },
        reference: chain.paymentTarget({ orderId, currency }),
      })
      expect(() => checkSolanaPayment(order, { ...rules, operator: payer.address })).toThrow(
        expect.objectContaining({ code: 'pay.recipient-mismatch' }),
      )
    },
  )

  test('a transfer that a wallet makes from the library’s request is found', async () => {
    const orderId = 'requested'
    const order = {
      ...{ orderId, quote: { totalPrice: { amount: '2', currency: 'sol' } } },
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

  test('a surplus of one lamport neither holds back the proceeds nor is lost', async () => {
    const orderId = 'dust'
    await pay(await prepare(orderId, 'sol', sol + 1n))
    const input = [{ orderId, payOutKeys: ['sweep:dust', 'refund:dust'] }]
    expect(await chain.sweep('sweep:dust', { orderId, currency: 'sol', units: sol })).toMatchObject({
      status: 'succeeded',
    })
    expect(await chain.getStatement(input)).toMatchObject({
      held: [{ orderId, currency: 'sol', units: 1n }],
      unattributedFunds: [],
    })
    const refunded = await chain.refund('refund:dust', {
      orderId,
      currency: 'sol',
      units: 1n,
      recipient: payer.address,
    })
    expect(refunded).toMatchObject({ status: 'succeeded' })
    expect((await chain.getStatement(input)).held).toEqual([])
  })

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

  test('coins that came without the reference are no payment, and can be sent back', async () => {
    const orderId = 'stray'
    await pay(await prepare(orderId, 'sol', sol))
    const [seen] = await find(orderId)
    const { transaction } = (await rpc()
      .getTransaction(seen?.txId as Signature, { encoding: 'json', maxSupportedTransactionVersion: 0 })
      .send()) as never as { transaction: { message: { accountKeys: Address[] } } }
    const account = transaction.message.accountKeys[1] ?? ''
    await chain.wallets.fund('stray', { currency: 'sol', units: 2n * sol, recipient: account })
    expect(await find(orderId)).toHaveLength(1)
    const input = [{ orderId, payOutKeys: [] }]
    expect(await chain.getStatement(input)).toMatchObject({
      held: [{ orderId, units: sol }],
      unattributedFunds: [{ orderId, currency: 'sol', units: 2n * sol }],
    })
    const returned = { orderId, currency: 'sol', units: 2n * sol, recipient: payer.address }
    expect(await chain.sendUnattributed('return', returned)).toMatchObject({ status: 'succeeded' })
    expect(await chain.getStatement(input)).toMatchObject({ held: [{ units: sol }], unattributedFunds: [] })
  })

  test.each([
    ['sol', 2n * sol],
    ['usdc', 3n],
  ])(
    '%s that came with the reference alone are no payment, and can be sent back',
    async (currency, units) => {
      const orderId = `half-named-${currency}`
      await pay(await prepare(orderId, currency, 100_000_000n))
      const prepared = await prepare(orderId, currency, units)
      const decoded = getCompiledTransactionMessageDecoder().decode(getBase64Encoder().encode(prepared))
      const { instructions, ...message } = decompileTransactionMessage(decoded) as TransactionMessage
      const key = derivePaymentsKey(accountAddress(operatorKey))
      const halfNamed = instructions.map(({ accounts = [], ...each }) => {
        return { ...each, accounts: accounts.filter(({ address }) => address !== key) }
      })
      const changed = compileTransactionMessage({ ...message, instructions: halfNamed } as never)
      await pay(getBase64Decoder().decode(getCompiledTransactionMessageEncoder().encode(changed)))
      expect(await find(orderId)).toHaveLength(1)
      const input = [{ orderId, payOutKeys: [] }]
      expect(await chain.getStatement(input)).toMatchObject({
        held: [{ orderId, units: 100_000_000n }],
        unattributedFunds: [{ orderId, currency, units }],
      })
      const returned = { orderId, currency, units, recipient: payer.address }
      expect(await chain.sendUnattributed(`return:${orderId}`, returned)).toMatchObject({
        status: 'succeeded',
      })
      expect(await chain.getStatement(input)).toMatchObject({
        held: [{ units: 100_000_000n }],
        unattributedFunds: [],
      })
    },
  )

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
    const terms = { operator, currencies: chain.currencies }
    const search = createPaymentSearch(terms, { error })
    const references = ['hidden', 'shown'].map((orderId) => deriveReference(operator, orderId))
    const { number: toBlock } = await chain.getHead()
    const look = (from = search) =>
      from(changed, (slot) => chain.getBlock(slot), { fromBlock: 0n, toBlock, targets: references })
    expect(await look()).toMatchObject([{ target: references[1], units: sol }])
    expect(await look()).toHaveLength(1)
    expect(error).toHaveBeenCalledTimes(1)
    const input = [{ orderId: 'hidden', payOutKeys: [] }]
    const statement = await readStatement({ rpc: changed, db: database.db }, 'solana', terms, input)
    expect(statement.held).toEqual([{ orderId: 'hidden', currency: 'sol', units: sol }])
    const { address } = deriveOrderAccount(operator, references[0] ?? '')
    const refund = { account: address, key: 'solana:refund', feePayer: operator }
    expect(await findTrace(changed, refund)).toBeUndefined()
    // A node that is behind shows it later.
    answer = { result: null }
    await expect(look(createPaymentSearch(terms, { error }))).rejects.toThrow('does not show it')
  })

  test('the fee of a refund includes the rent of a token account that the payer lacks', async () => {
    const lacking = (await generateKeyPairSigner()).address
    const estimate = (currency: string, recipient: string) =>
      chain.estimateRefundFee({ orderId: 'fees', currency, units: 5n, recipient })
    expect(await estimate('usdc', payer.address)).toBe(5_000n)
    expect(await estimate('usdc', lacking)).toBe(5_000n + 2_039_280n)
    expect(await estimate('sol', lacking)).toBe(5_000n)
  })

  test('a token account whose opening the chain has lost is opened again', async () => {
    const orderId = 'lost-opening'
    const { address: token } = chain.currencies.find(({ currency }) => currency === 'usdc') ?? {}
    await database.db.insert(solanaTransactions).values({
      ...{ key: `solana:open:${orderId}:${token}:0`, chain: 'solana', signedTransaction: 'AA==' },
      ...{ signature: 'lost', lastValidBlockHeight: 1n, status: 'succeeded', slot: 1n },
    })
    await pay(await prepare(orderId, 'usdc', 5n))
    expect(await find(orderId)).toMatchObject([{ currency: 'usdc', units: 5n }])
  })

  test('the token account of an order is closed with its last sweep, and one that nobody pays after a day', async () => {
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
    const yesterday = new Date(Date.now() - 25 * 60 * 60_000)
    await database.db.update(solanaTransactions).set({ createdAt: yesterday })
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
