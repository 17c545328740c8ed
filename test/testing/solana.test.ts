import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createOrder, editOrder, getOrder } from '../../src/api/index.js'
import { checkSolanaPayment, getOrderAccounts } from '../../src/chain/index.js'
import { decodeMessage } from '../../src/chain/solana/message.js'
import { fromBase64, toBase64 } from '../../src/chain/solana/transaction.js'
import { decodeBase58, encodeBase58 } from '../../src/engine/solana/base58.js'
import { getAssociatedTokens, programs } from '../../src/engine/solana/orderAccounts.js'
import { openNode } from '../../src/pay/solana/node.js'
import {
  createTestService,
  createTestSolanaWallet,
  createTestWallet,
  orders,
  type TestService,
} from '../../src/testing/index.js'
import { encodeMessage, type InstructionDraft, writeUnits } from '../../src/testing/solana/encodeMessage.js'
import { token2022 } from '../../src/testing/solana/network.js'
import { writeTransaction } from '../../src/testing/solana/signBytes.js'

const payerAddress = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU'
const friend = '9wFFyRfZBsuAha4YcuxcXLKwMxJR43S7fPfQLusDBzvT'
const buyer = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'

const open = () =>
  createTestService({
    chains: ['base-sepolia', 'solana'],
    collections: [
      { id: 'tea', chain: 'solana', price: '0.5' },
      { id: 'dunes', price: '0.05' },
    ],
  })

const order = async ({ client }: TestService, currency = 'sol', collection = 'tea') => {
  const { order: made, clientSecret } = await createOrder(client, {
    body: {
      recipient: { walletAddress: collection === 'tea' ? payerAddress : buyer },
      payment: { method: 'solana', currency, payerAddress },
      lineItems: { collectionLocator: `kassa:${collection}` },
    },
  })
  return { order: made, orderId: made.orderId, clientSecret }
}

const nodeOf = ({ solana }: TestService) => openNode(solana.rpcUrl, solana.fetch)

describe('orders', () => {
  test.each([
    ['sol', 500_000_000n],
    ['usdc', 75_000_000n],
    ['usdxm', 75_000_000n],
  ])('default: a payment in %s is prepared as the library checks it', async (currency, units) => {
    const service = open()
    const { order: made, orderId } = await order(service, currency)
    const payment = checkSolanaPayment(made, service.solana)
    const mint = service.solana.tokens[currency]?.address
    const { account, references } = getOrderAccounts(service.solana.operator, orderId, mint)
    expect(payment).toMatchObject({ payerAddress, recipient: account, reference: references[0], units })
    const { instructions } = decodeMessage(payment.message)
    const memo = instructions.find(({ program }) => program === programs.memo)
    expect(new TextDecoder().decode(memo?.data)).toBe(`Order ${orderId}`)
    const { blockhash } = payment
    expect(await nodeOf(service).simulate(payment.message)).toMatchObject({
      err: null,
      logs: expect.any(Array),
    })
    service.advance(70_000)
    expect(await nodeOf(service).simulate(payment.message)).toMatchObject({
      err: 'BlockhashNotFound',
      logs: [],
    })
    expect(blockhash).not.toBe('')
  })

  test('behavior: pay moves the money, and the token is delivered', async () => {
    const service = open()
    service.setBalance(payerAddress, 'sol', '2')
    const { orderId, clientSecret } = await order(service)
    const txId = service.pay(orderId)
    expect(decodeBase58(txId)).toHaveLength(64)
    service.advance(2_000)
    const { phase, payment, lineItems } = await getOrder(service.client, { orderId, clientSecret })
    expect(phase).toBe('completed')
    expect(payment.received).toMatchObject({
      amount: '0.5',
      currency: 'sol',
      chain: 'solana',
      txId,
      payerAddress,
    })
    const [{ mintHash = '', locator = '' } = {}] = lineItems[0]?.delivery.tokens ?? []
    expect(locator).toBe(`solana:${mintHash}`)
    expect(decodeBase58(mintHash)).toHaveLength(32)
    expect(service.getTokens(`solana:${payerAddress}`)).toMatchObject([{ mintHash, chain: 'solana' }])
    expect(await nodeOf(service).getBalance(payerAddress)).toBe(1_499_995_000n)
  })

  test('behavior: goods of an EVM chain are paid on Solana', async () => {
    const service = open()
    const { orderId, order: made } = await order(service, 'sol', 'dunes')
    expect(made.quote.totalPrice).toMatchObject({ amount: '1', currency: 'sol' })
    service.pay(orderId)
    service.advance(2_000)
    expect(service.getTokens(`base-sepolia:${buyer}`)).toHaveLength(1)
  })

  test('behavior: too little is sent back by a transaction of Solana when the quote ends; two payments in one block differ', async () => {
    const service = open()
    const { orderId } = await order(service)
    const paid = [service.pay(orderId, { amount: '0.1' }), service.pay(orderId, { amount: '0.1' })]
    expect(new Set(paid).size).toBe(2)
    service.advance(2_000)
    const { payment } = service.getOrder(orderId)
    expect([payment.received?.amount, payment.refunded?.amount]).toEqual(['0.2', undefined])
    service.setBalance(payerAddress, 'sol', '0.1')
    expect(() => service.pay(orderId)).toThrow('its payer does not have enough')
    service.advance(60 * 60_000)
    const { refunded, received } = service.getOrder(orderId).payment
    expect([received?.amount, refunded?.amount]).toEqual(['0.2', '0.2'])
    expect(decodeBase58(refunded?.txId ?? '')).toHaveLength(64)
  })

  test('behavior: an order that is too small for an account on Solana is refused', async () => {
    const service = createTestService({
      chains: ['solana'],
      collections: [{ id: 'tea', chain: 'solana', price: '0.0005' }],
    })
    await expect(order(service)).rejects.toThrow('accepts no payment under 890880 lamports on solana')
  })

  test('behavior: a service without Solana takes no payments there', async () => {
    const service = createTestService()
    await expect(
      createOrder(service.client, {
        body: {
          recipient: { email: 'ada@example.com' },
          payment: { method: 'solana', currency: 'sol' },
          lineItems: { collectionLocator: 'kassa:dunes-at-dusk' },
        },
      }),
    ).rejects.toThrow('solana is not enabled on this deployment')
    expect(() => createTestWallet({ service: createTestService({ chains: ['solana'] }) })).toThrow(
      'no EVM chain',
    )
  })

  test('behavior: a payer with too little sees so until they have enough', async () => {
    const service = open()
    service.setBalance(payerAddress, 'sol', '0.5')
    const { orderId, clientSecret } = await order(service)
    const status = () => service.getOrder(orderId).payment.status
    expect(status()).toBe('crypto-payer-insufficient-funds-for-gas')
    service.setBalance(payerAddress, 'sol', '0.1')
    expect(status()).toBe('crypto-payer-insufficient-funds')
    service.setBalance(payerAddress, 'sol', '0.500005')
    expect(status()).toBe('awaiting-payment')
    const payment = { method: 'solana' as const, currency: 'usdc', payerAddress }
    const edited = await editOrder(service.client, { orderId, clientSecret, body: { payment } })
    expect(edited.payment.status).toBe('awaiting-payment')
  })
})

test('behavior: the fixtures that await a payment on Solana pass the checks of the library', () => {
  const { solana } = createTestService()
  expect(checkSolanaPayment(orders.awaitingPaymentSol, solana).units).toBe(840_000_000n)
  expect(checkSolanaPayment(orders.awaitingPaymentUsdcOnSolana, solana).units).toBe(126_000_000n)
  expect(orders.completedOnSolana.lineItems[0]?.delivery.tokens?.[0]?.mintHash).toBeDefined()
})

/** Sends what a wallet that the service keeps is to sign. */
const send = async (service: TestService, address: string, instructions: InstructionDraft[]) => {
  const call = async (path: string, body?: object) => {
    const response = await service.fetch(`${service.baseUrl}/2022-06-09/wallets/${address}/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'x-api-key': service.serverKey, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return Object(await response.json())
  }
  const answer = await service.solana.fetch(service.solana.rpcUrl, {
    method: 'POST',
    body: JSON.stringify({ method: 'getLatestBlockhash', params: [] }),
  })
  const { blockhash } = Object(await answer.json()).result.value
  const message = encodeMessage({ feePayer: address, blockhash, instructions })
  const empty = new Array<Uint8Array>(message[1] ?? 0).fill(new Uint8Array(64))
  const transaction = encodeBase58(writeTransaction(empty, message))
  return { transaction, call }
}

describe('wallets', () => {
  const ada = 'email:ada@example.com'
  const giveTea = (service: TestService) => {
    const { mintHash } = service.giveToken(ada, { chain: 'solana' })
    const { address } = service.getWallet(`${ada}:solana-mpc-wallet`)
    service.setBalance(address, 'sol', '1')
    return { mintHash, address }
  }
  const transferTea = (mint: string, from: string, to: string): InstructionDraft[] => [
    {
      program: programs.associatedToken,
      accounts: [
        { address: from, isSigner: true, isWritable: true },
        { address: getAssociatedTokens(to, mint, token2022), isWritable: true },
        ...[to, mint, programs.system, token2022].map((address) => ({ address })),
      ],
      data: [1],
    },
    {
      program: token2022,
      accounts: [
        { address: getAssociatedTokens(from, mint, token2022), isWritable: true },
        { address: mint },
        { address: getAssociatedTokens(to, mint, token2022), isWritable: true },
        { address: from, isSigner: true },
      ],
      data: [12, ...writeUnits(1n), 0],
    },
  ]

  test('default: a wallet gives a token away', async () => {
    const service = open()
    const { mintHash, address } = giveTea(service)
    const { transaction, call } = await send(service, address, transferTea(mintHash, address, friend))
    const { id } = await call('transactions', { params: { transaction } })
    expect(await call(`transactions/${id}`)).toMatchObject({ status: 'pending', approvals: { required: 0 } })
    service.advance(2_000)
    expect(await call(`transactions/${id}`)).toMatchObject({ status: 'success' })
    expect(service.getTokens(`solana:${friend}`)).toMatchObject([{ mintHash }])
    expect(service.getTokens(`${ada}:solana`)).toEqual([])
    expect(await nodeOf(service).getTokenBalance(friend, mintHash)).toBe(1n)
    expect(await nodeOf(service).getTokenBalance(address, mintHash)).toBe(0n)
    const again = await send(service, address, transferTea(mintHash, address, friend))
    expect(await again.call('transactions', { params: { transaction: again.transaction } })).toMatchObject({
      error: {
        reason: 'program_error',
        logs: expect.arrayContaining(['Program log: Error: insufficient funds']),
      },
    })
  })

  test('behavior: a test makes a transaction be refused, or fail in its block', async () => {
    const service = open()
    const { mintHash, address } = giveTea(service)
    const { transaction, call } = await send(service, address, transferTea(mintHash, address, friend))
    service.refuseNextTransaction('the doors are open')
    expect(await call('transactions', { params: { transaction } })).toMatchObject({
      error: { logs: ['Program log: Error: the doors are open'] },
    })
    service.failNextTransaction('the doors are open')
    const { id } = await call('transactions', { params: { transaction } })
    service.advance(2_000)
    expect(await call(`transactions/${id}`)).toMatchObject({
      status: 'failed',
      error: { reason: 'program_error', message: expect.stringContaining('the doors are open (') },
      onChain: { txId: expect.any(String) },
    })
    expect(service.getTokens(`${ada}:solana`)).toHaveLength(1)
  })

  test('behavior: what is not approved before its blockhash expires fails, and so does what is sent too late', async () => {
    const service = open()
    const { mintHash, address } = giveTea(service)
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const other = encodeBase58(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32))
    const signs: InstructionDraft = {
      program: programs.memo,
      data: [33],
      accounts: [{ address: other, isSigner: true }],
    }
    const { transaction, call } = await send(service, address, [
      ...transferTea(mintHash, address, friend),
      signs,
    ])
    const requiredSigners = [`solana-keypair:${other}`]
    const create = async () => call('transactions', { params: { transaction, requiredSigners } })
    const [late, never] = [await create(), await create()]
    service.advance(62_000)
    const [{ message }] = late.approvals.pending
    const signature = encodeBase58(sign(null, Uint8Array.from(decodeBase58(message) ?? []), privateKey))
    const approvals = [{ signer: requiredSigners[0], signature }]
    expect(await call(`transactions/${late.id}/approvals`, { approvals })).toMatchObject({
      status: 'pending',
    })
    service.advance(13_000)
    const reason = 'failed_to_land_on_chain'
    expect(await call(`transactions/${late.id}`)).toMatchObject({
      status: 'failed',
      error: { reason, message: 'its blockhash expired' },
    })
    expect(await call(`transactions/${never.id}`)).toMatchObject({
      status: 'failed',
      error: { reason, message: 'The transaction was not approved before its blockhash expired' },
    })
  })

  test('behavior: a token is given on the chain of its collection', () => {
    const service = open()
    expect(service.giveToken(friend, { chain: 'solana' }).locator).toMatch(/^solana:/)
    expect(service.giveToken(buyer).locator).toMatch(/^base-sepolia:/)
    expect(() => service.giveToken(buyer, { chain: 'solana' })).toThrow('neither an address nor a user')
    expect(() => service.giveToken(friend, { collectionId: 'tea' })).toThrow("give it with {chain: 'solana'}")
    expect(() => service.giveToken(friend, { chain: 'solana', collectionId: 'dunes' })).toThrow('leave out')
  })
})

describe('the node', () => {
  const anySlot = { minSlot: 0n, before: undefined }
  const post = async ({ solana }: TestService, method: string, ...params: unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params })
    const response = await solana.fetch(new Request(solana.rpcUrl, { method: 'POST', body }))
    return Object(await response.json())
  }

  test('default: a sent payment is processed, confirmed and final', async () => {
    const service = open()
    const node = nodeOf(service)
    const { order: made } = await order(service)
    const { message, recipient } = checkSolanaPayment(made, service.solana)
    const signed = writeTransaction([new Uint8Array(64).fill(1)], message)
    await node.send(toBase64(signed))
    const signature = encodeBase58(new Uint8Array(64).fill(1))
    expect(await node.getStatus(signature)).toMatchObject({ commitment: 'processed', err: null })
    expect(await node.listSignatures(recipient, anySlot)).toEqual([])
    expect(await node.getTransaction(signature)).toBeUndefined()
    service.advance(1_000)
    expect(await node.getStatus(signature)).toMatchObject({ commitment: 'confirmed' })
    expect(await node.listSignatures(recipient, anySlot)).toMatchObject([{ signature }])
    expect((await node.getTransaction(signature))?.message).toEqual(message)
    const { lastBlockHeight } = await node.getTip(0n)
    expect(lastBlockHeight - (await node.getFinal()).height).toBe(182n)
    service.advance(13_000)
    expect(await node.getStatus(signature)).toMatchObject({ commitment: 'finalized' })
  })

  test('behavior: a fee, balances, and what cannot be', async () => {
    const service = open()
    const { order: made } = await order(service)
    const { message } = checkSolanaPayment(made, service.solana)
    const unsigned = toBase64(writeTransaction([new Uint8Array(64)], message))
    expect(await nodeOf(service).getFee(message)).toBe(5_000n)
    expect(await post(service, 'sendTransaction', unsigned)).toMatchObject({ id: 7, error: { code: -32003 } })
    expect(await post(service, 'sendTransaction', 'AA==')).toMatchObject({ error: { code: -32602 } })
    expect(await post(service, 'sendTransaction', 7)).toMatchObject({ error: { code: -32602 } })
    expect(await post(service, 'getSlotLeaders')).toMatchObject({ error: { code: -32601 } })
    const signed = toBase64(writeTransaction([new Uint8Array(64).fill(1)], message))
    service.setBalance(payerAddress, 'sol', '0.4')
    expect(await post(service, 'sendTransaction', signed)).toMatchObject({ error: { code: -32002 } })
    service.setBalance(payerAddress, 'sol', '0.500006')
    expect((await nodeOf(service).simulate(message)).err).toMatchObject({ InsufficientFundsForRent: {} })
    service.setBalance(payerAddress, 'sol', '0')
    expect((await nodeOf(service).simulate(message)).err).toBe('AccountNotFound')
    service.advance(70_000)
    expect(await nodeOf(service).getFee(message)).toBeUndefined()
    expect(await post(service, 'getTokenAccountsByOwner', payerAddress, {})).toMatchObject({
      error: { code: -32602 },
    })
  })
})

describe('createTestSolanaWallet', () => {
  const connect = async ({ wallet }: ReturnType<typeof createTestSolanaWallet>) =>
    (await wallet.features['standard:connect']?.connect())?.accounts ?? []

  test('default: it signs and sends, without a DOM', async () => {
    const service = open()
    const wallet = createTestSolanaWallet({ service, balance: { sol: '3' } })
    const { order: made } = await order(service)
    const { message } = checkSolanaPayment(made, service.solana)
    const [account] = await connect(wallet)
    if (!account) throw new Error('no account')
    const transaction = writeTransaction([new Uint8Array(64)], message)
    const pay = async () =>
      wallet.wallet.features['solana:signAndSendTransaction']?.signAndSendTransaction({
        account,
        transaction,
        chain: 'solana:devnet',
      })
    wallet.rejectNext()
    await expect(pay()).rejects.toMatchObject({ code: 4001 })
    wallet.dropNext()
    const [dropped] = (await pay()) ?? []
    const signature = encodeBase58(dropped?.signature ?? new Uint8Array())
    expect(await nodeOf(service).getStatus(signature)).toBeUndefined()
    wallet.loseNext()
    await expect(pay()).rejects.toThrow('connection to the wallet was lost')
    expect(await nodeOf(service).getStatus(signature)).toMatchObject({ commitment: 'processed' })
    wallet.setAccount(friend)
    await expect(pay()).rejects.toMatchObject({ code: 4100 })
    expect(wallet.requests.map(({ method }) => method)).toEqual([
      'standard:connect',
      ...new Array(4).fill('solana:signAndSendTransaction'),
    ])
    expect(fromBase64(toBase64(message))).toEqual(message)
  })

  test('error: a service without Solana', () => {
    expect(() => createTestSolanaWallet({ service: createTestService() })).toThrow('no Solana cluster')
  })

  test('parameters: signsOnly, isConnected, name, address', async () => {
    const service = open()
    const wallet = createTestSolanaWallet({
      service,
      signsOnly: true,
      isConnected: false,
      name: 'Other',
      address: friend,
    })
    expect(wallet.wallet).toMatchObject({ name: 'Other', accounts: [] })
    expect(wallet.parameters.storage?.getItem('kassa.solana-wallet')).toBeNull()
    const silently = await wallet.wallet.features['standard:connect']?.connect({ silent: true })
    expect(silently?.accounts).toEqual([])
    expect(await connect(wallet)).toMatchObject([{ address: friend, chains: ['solana:devnet'] }])
    expect(Object.keys(wallet.wallet.features)).not.toContain('solana:signAndSendTransaction')
    await wallet.wallet.features['standard:disconnect']?.disconnect()
    expect(wallet.wallet.accounts).toEqual([])
  })
})
