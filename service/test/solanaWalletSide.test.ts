import { getBase58Decoder } from '@solana/kit'
import {
  Connection,
  Keypair,
  Transaction as LegacyTransaction,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { BalanceList, Transaction, TransactionList, Wallet, WalletTokenList } from 'kassa/schema'
import { beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createSolanaService } from './helpers/createSolanaService.js'
import { openBeforeAll } from './helpers/openBeforeAll.js'

// Everything here is built and signed by @solana/web3.js 1, which shares no code with the service.

const world = openBeforeAll(createSolanaService)
const sol = 1_000_000_000
const toBase58 = (bytes: Uint8Array) => getBase58Decoder().decode(bytes)

let wallet: Wallet
let connection: Connection
beforeAll(async () => {
  connection = new Connection(world.solana.node.rpcUrl, 'confirmed')
  wallet = z.parse(
    Wallet,
    await world.ask(201, 'POST', '/wallets', {
      type: 'solana-mpc-wallet',
      linkedUser: 'email:ada@example.com',
    }),
  )
  await world.solana.fund(wallet.address, 'sol', 100n * BigInt(sol))
})

const own = () => new PublicKey(wallet.address)
const pathOf = ({ address }: Pick<Wallet, 'address'> = wallet) => `/wallets/${address}/transactions`
const transfer = (lamports: number, toPubkey: PublicKey, fromPubkey = own()) =>
  SystemProgram.transfer({ fromPubkey, toPubkey, lamports })

/** Compiles a message of version 0, or a legacy one. */
const build = async (
  instructions: TransactionInstruction[],
  { payerKey = own(), isLegacy = false, recentBlockhash = '' } = {},
): Promise<VersionedTransaction> => {
  const { blockhash } = await connection.getLatestBlockhash('confirmed')
  const message = new TransactionMessage({
    payerKey,
    instructions,
    recentBlockhash: recentBlockhash || blockhash,
  })
  return new VersionedTransaction(isLegacy ? message.compileToLegacyMessage() : message.compileToV0Message())
}
const serialize = (transaction: VersionedTransaction) => toBase58(transaction.serialize())
const create = async (params: object) =>
  z.parse(Transaction, await world.ask(201, 'POST', pathOf(), { params }))
const settle = async ({ id }: Pick<Transaction, 'id'>) => {
  const read = async () => z.parse(Transaction, await world.ask(200, 'GET', `${pathOf()}/${id}`))
  await expect.poll(async () => (await read()).status).toMatch(/success|failed/)
  return read()
}
/** The signature of an approver, as web3.js puts it into the transaction. */
const signatureOf = (transaction: VersionedTransaction, signer: Keypair) => {
  const copy = new VersionedTransaction(transaction.message)
  copy.sign([signer])
  const at = copy.message.staticAccountKeys.findIndex((key) => key.equals(signer.publicKey))
  return toBase58(copy.signatures[at] ?? new Uint8Array())
}

describe('wallets', () => {
  test('default: a wallet is created once for a user, and answered by every locator', async () => {
    for (const user of ['userId:ada-7', 'phoneNumber:+4915112345678', 'twitter:ada']) {
      const body = { type: 'solana-mpc-wallet', linkedUser: user }
      const created = z.parse(Wallet, await world.ask(201, 'POST', '/wallets', body))
      expect(created).toMatchObject({
        type: 'solana-mpc-wallet',
        linkedUser: user,
        createdAt: expect.any(String),
        config: {
          adminSigner: {
            type: 'solana-kassa-custodial',
            address: created.address,
            locator: `solana-kassa-custodial:${created.address}`,
          },
        },
      })
      expect(new PublicKey(created.address).toBytes()).toHaveLength(32)
      expect(await world.ask(200, 'POST', '/wallets', body)).toEqual(created)
      expect(await world.ask(200, 'GET', `/wallets/${created.address}`)).toEqual(created)
      const locator = `/wallets/${encodeURIComponent(user)}:solana-mpc-wallet`
      expect(await world.ask(200, 'GET', locator)).toEqual(created)
    }
    const byX = await world.ask(200, 'GET', '/wallets/x:ada:solana-mpc-wallet')
    expect(byX).toMatchObject({ linkedUser: 'twitter:ada' })
  })

  test('error: a smart wallet on Solana, and a locator of one', async () => {
    await world.refuse(
      400,
      ['POST', '/wallets', { type: 'solana-smart-wallet' }],
      'type: a solana-smart-wallet needs',
    )
    await world.refuse(404, ['GET', '/wallets/email:ada@example.com:solana-smart-wallet'], 'not found')
  })

  test.each([
    ['base58 that is not 32 bytes', '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83T'],
    ['an EVM address of a wrong length', '0x11'],
  ])('error: the locator is %s', async (_, locator) => {
    await world.refuse(400, ['GET', `/wallets/${locator}`], 'walletLocator: ')
  })

  test.each([
    [
      'an EVM signer',
      { adminSigner: { type: 'evm-keypair', address: `0x${'11'.repeat(20)}` } },
      'config.adminSigner.type',
    ],
    [
      'a custodial signer with an address of its own',
      {
        adminSigner: {
          type: 'solana-kassa-custodial',
          address: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
        },
      },
      'config.adminSigner.address',
    ],
  ])('error: %s', async (_, config, field) => {
    await world.refuse(400, ['POST', '/wallets', { type: 'solana-mpc-wallet', config }], field)
  })
})

describe('balances', () => {
  test('default: it is funded in sol, usdc and usdxm, and its balances have a total', async () => {
    const body = { type: 'solana-mpc-wallet', linkedUser: 'userId:funded' }
    const { address } = z.parse(Wallet, await world.ask(201, 'POST', '/wallets', body))
    const path = `/v1-alpha2/wallets/${address}/balances`
    for (const token of ['sol', 'usdc', 'usdxm']) {
      const funded = await world.ask(201, 'POST', path, { amount: 2, token, chain: 'solana' })
      const units = token === 'sol' ? '2000000000' : '2000000'
      expect(funded).toEqual([
        { token, decimals: token === 'sol' ? 9 : 6, balances: { solana: units, total: units } },
      ])
    }
    const read = z.parse(
      BalanceList,
      await world.ask(200, 'GET', `${path}?tokens=sol,usdc,usdxm&chains=solana`),
    )
    expect(read.map(({ balances }) => balances.total)).toEqual(['2000000000', '2000000', '2000000'])
  })

  test.each([
    ['amount', { amount: 101, token: 'usdc', chain: 'solana' }],
    ['amount', { amount: 0, token: 'usdc', chain: 'solana' }],
    ['token', { amount: 1, token: 'bonk', chain: 'solana' }],
    ['chain', { amount: 1, token: 'usdc', chain: 'base-sepolia' }],
  ])('error: %s', async (field, body) => {
    await world.refuse(400, ['POST', `/v1-alpha2/wallets/${wallet.address}/balances`, body], `${field}: `)
  })
})

describe('transactions', () => {
  test.each([
    ['version 0', false],
    ['legacy', true],
  ])(
    'default: a message of %s is signed, sent as it is, listed, and an event tells of it',
    async (_, isLegacy) => {
      const friend = Keypair.generate().publicKey
      const transaction = serialize(await build([transfer(sol, friend)], { isLegacy }))
      const created = await create({ transaction })
      expect(created).toMatchObject({
        walletType: 'solana-mpc-wallet',
        status: 'pending',
        params: { transaction },
        onChain: { transaction, lastValidBlockHeight: expect.any(Number) },
        approvals: { pending: [], submitted: [], required: 0 },
      })
      const ended = await settle(created)
      expect(ended).toMatchObject({ status: 'success', completedAt: expect.any(String) })
      const { txId } = z.parse(z.looseObject({ txId: z.string() }), ended.onChain)
      expect(await connection.getBalance(friend)).toBe(sol)
      const landed = await connection.getTransaction(txId, { maxSupportedTransactionVersion: 0 })
      expect(landed?.meta?.err).toBeNull()
      expect(await world.awaitEvent('wallets.transaction.succeeded', created.id)).toMatchObject({
        data: ended,
      })
      const locator = '/wallets/email:ada@example.com:solana-mpc-wallet/transactions?page=1&perPage=1'
      expect(z.parse(TransactionList, await world.ask(200, 'GET', locator)).transactions).toEqual([ended])
    },
  )

  test('default: those who sign beside it approve the message, each once', async () => {
    const friend = Keypair.generate()
    await world.solana.fund(friend.publicKey.toBase58(), 'sol', BigInt(3 * sol))
    const transaction = await build([transfer(sol, own(), friend.publicKey)])
    const signer = `solana-keypair:${friend.publicKey.toBase58()}`
    const created = await create({ transaction: serialize(transaction), requiredSigners: [signer] })
    expect(created).toMatchObject({
      status: 'awaiting-approval',
      approvals: { pending: [{ signer, message: toBase58(transaction.message.serialize()) }], required: 1 },
    })
    const path = `${pathOf()}/${created.id}/approvals`
    const stranger = Keypair.generate()
    const other = new VersionedTransaction(transaction.message)
    await world.refuse(
      400,
      ['POST', path, { approvals: [{ signer, signature: toBase58(new Uint8Array(64).fill(7)) }] }],
      'approvals[0].signature: not a signature of the message by',
    )
    await world.refuse(
      400,
      [
        ...(['POST', path] as const),
        {
          approvals: [
            { signer: `solana-keypair:${stranger.publicKey}`, signature: toBase58(new Uint8Array(64)) },
          ],
        },
      ],
      'approvals[0].signer: not a signer of this transaction',
    )
    const approval = { signer, signature: signatureOf(other, friend) }
    expect(await world.ask(201, 'POST', path, { approvals: [approval] })).toMatchObject({
      status: 'pending',
      approvals: { pending: [], submitted: [approval] },
    })
    await world.refuse(
      422,
      ['POST', path, { approvals: [approval] }],
      'The transaction no longer awaits approval',
    )
    expect(await settle(created)).toMatchObject({ status: 'success' })
    expect(await connection.getBalance(friend.publicKey)).toBe(2 * sol)
  })

  test('default: what it buys is in its list, and a burn takes it out', async () => {
    await world.change('PUT', '/collections/bought', { chain: 'solana', metadata: { name: 'Bought' } })
    await world.change('PUT', '/collections/bought/nfts/one', {
      recipient: 'email:ada@example.com:solana',
      metadata: { name: 'One', image: 'https://shop.example/1' },
    })
    const list = async (identifier: string) =>
      z.parse(WalletTokenList, await world.ask(200, 'GET', `/wallets/${identifier}/nfts`))
    const listed = await list('email:ada@example.com:solana')
    expect(listed).toMatchObject([
      { chain: 'solana', mintHash: expect.any(String), metadata: { name: 'One' } },
    ])
    expect(await list(`solana:${wallet.address}`)).toEqual(listed)
    await world.change('DELETE', '/collections/bought/nfts/one')
    expect(await list('email:ada@example.com:solana')).toEqual([])
  })

  test('behavior: of two that spend the same coins, one fails in its block, with the logs of its program', async () => {
    const all = await connection.getBalance(own())
    const friend = Keypair.generate().publicKey
    const units = Math.floor(all * 0.6)
    const built = await Promise.all([build([transfer(units, friend)]), build([transfer(units + 1, friend)])])
    const created = await Promise.all(built.map((each) => create({ transaction: serialize(each) })))
    const ended = await Promise.all(created.map(settle))
    const failed = ended.find(({ status }) => status === 'failed')
    expect(ended.map(({ status }) => status).sort()).toEqual(['failed', 'success'])
    expect(failed).toMatchObject({
      error: {
        reason: 'program_error',
        message: expect.stringContaining('insufficient lamports'),
        logs: expect.arrayContaining([expect.stringContaining('insufficient lamports')]),
      },
      onChain: { txId: expect.any(String) },
    })
    expect(await world.awaitEvent('wallets.transaction.failed', failed?.id ?? '')).toMatchObject({
      data: { error: failed?.error },
    })
    await world.solana.fund(wallet.address, 'sol', 100n * BigInt(sol))
  })

  test('behavior: one idempotency key is one transaction', async () => {
    const friend = Keypair.generate().publicKey
    const body = { params: { transaction: serialize(await build([transfer(sol, friend)])) } }
    const send = () => world.send('POST', pathOf(), body, { 'x-idempotency-key': 'one-transfer-and-no-more' })
    const [one, other] = await Promise.all([send(), send()])
    expect([one.status, other.status]).toEqual([201, 201])
    const [first, second] = [z.parse(Transaction, await one.json()), z.parse(Transaction, await other.json())]
    expect(second).toEqual(first)
    await settle(first)
    expect(await connection.getBalance(friend)).toBe(sol)
  })

  test('behavior: a failed simulation is 422 with the logs of its program', async () => {
    const transaction = serialize(await build([transfer(100_000 * sol, Keypair.generate().publicKey)]))
    expect(await world.ask(422, 'POST', pathOf(), { params: { transaction } })).toMatchObject({
      error: {
        reason: 'program_error',
        message: expect.any(String),
        logs: expect.arrayContaining([expect.stringContaining('insufficient lamports')]),
      },
      message: expect.stringContaining('simulation'),
    })
  })
})

describe('error: params.transaction', () => {
  const friend = Keypair.generate()
  const refuse = (transaction: string, message: string, more: object = {}) =>
    world.refuse(400, ['POST', pathOf(), { params: { transaction, ...more } }], message)
  const pay = () => transfer(sol, friend.publicKey)

  test('not base58, and bytes that are no transaction', async () => {
    await refuse('0OIl', 'params.transaction: ')
    await refuse(toBase58(new Uint8Array(100).fill(9)), 'params.transaction: expected ')
    await refuse('', 'params.transaction: ')
  })

  test('a message of another version', async () => {
    const bytes = (await build([pay()])).serialize()
    // The version follows the signatures: their count and 64 bytes.
    bytes[65] = 0x81
    await refuse(toBase58(bytes), 'of version 0 or a legacy one')
  })

  test('another fee payer', async () => {
    const transaction = await build([transfer(sol, friend.publicKey, friend.publicKey)], {
      payerKey: friend.publicKey,
    })
    await refuse(serialize(transaction), `params.transaction: expected the fee payer ${wallet.address}`)
  })

  test('already signed by another account, as a legacy transaction and one of version 0', async () => {
    const back = transfer(sol, own(), friend.publicKey)
    const versioned = await build([back])
    versioned.sign([friend])
    const message = 'params.transaction: expected a transaction without signatures'
    await refuse(serialize(versioned), message)
    const legacy = new LegacyTransaction().add(back)
    legacy.feePayer = own()
    legacy.recentBlockhash = (await connection.getLatestBlockhash('confirmed')).blockhash
    legacy.partialSign(friend)
    await refuse(toBase58(legacy.serialize({ requireAllSignatures: false })), message)
  })

  test('a lookup table', async () => {
    const { blockhash } = await connection.getLatestBlockhash('confirmed')
    const message = new TransactionMessage({
      payerKey: own(),
      recentBlockhash: blockhash,
      instructions: [pay()],
    }).compileToV0Message([
      {
        key: Keypair.generate().publicKey,
        state: {
          deactivationSlot: 2n ** 64n - 1n,
          lastExtendedSlot: 0,
          lastExtendedSlotStartIndex: 0,
          addresses: [friend.publicKey],
        },
        isActive: () => true,
      } as never,
    ])
    expect(message.addressTableLookups).toHaveLength(1)
    await refuse(
      serialize(new VersionedTransaction(message)),
      'params.transaction: expected a transaction without lookup tables',
    )
  })

  test('a nonce advance', async () => {
    const nonce = Keypair.generate().publicKey
    const advance = SystemProgram.nonceAdvance({ noncePubkey: nonce, authorizedPubkey: own() })
    await refuse(
      serialize(await build([advance, pay()])),
      'params.transaction: expected a recent blockhash, not a durable nonce',
    )
    await refuse(
      serialize(await build([pay(), advance])),
      'params.transaction: expected a recent blockhash, not a durable nonce',
    )
  })

  test('a blockhash that is gone, or never was', async () => {
    const transaction = serialize(await build([pay()]))
    for (let left = 160; left > 0; left--) world.solana.node.tick()
    await refuse(transaction, 'params.transaction: its blockhash has expired')
    const recentBlockhash = Keypair.generate().publicKey.toBase58()
    await refuse(
      serialize(await build([pay()], { recentBlockhash })),
      'params.transaction: its blockhash has expired',
    )
  })

  test('signers that are not named, or sign nothing, or are of another chain', async () => {
    const back = serialize(await build([transfer(sol, own(), friend.publicKey)]))
    const signer = `solana-keypair:${friend.publicKey.toBase58()}`
    await refuse(back, `params.requiredSigners: expected ${signer}`)
    await refuse(serialize(await build([pay()])), 'params.requiredSigners[0]: ', {
      requiredSigners: [signer],
    })
    const evm = `evm-keypair:0x${'11'.repeat(20)}`
    await refuse(back, 'params.requiredSigners[1]: ', { requiredSigners: [signer, evm] })
  })

  test('the form of an EVM wallet, and unknown fields', async () => {
    const calls = { calls: [{ to: `0x${'11'.repeat(20)}`, value: '1', data: '0x' }], chain: 'base-sepolia' }
    await world.refuse(
      400,
      ['POST', pathOf(), { params: calls }],
      'params: {calls, chain, signer?} is the form',
    )
    const transaction = serialize(await build([pay()]))
    await refuse(transaction, 'params', { chain: 'solana' })
  })

  test('the form of Solana for an EVM wallet', async () => {
    const transaction = serialize(await build([pay()]))
    await world.refuse(
      400,
      ['POST', '/wallets', { type: 'evm-mpc-wallet' }],
      'type: no enabled chain has wallets',
    )
    await world.refuse(
      404,
      ['POST', `/wallets/0x${'11'.repeat(20)}/transactions`, { params: { transaction } }],
      'not found',
    )
  })
})
