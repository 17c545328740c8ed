import type { EvmMpcWalletParams } from 'kassa/schema'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { wallets } from '#base/db/tables/index.js'
import type { ChainPort } from '#base/ports/chain.js'
import { mintNft } from '#goods/nfts/mintNft.js'
import { startTransaction } from '#holdings/transactions/startTransaction.js'
import { createWallet } from '#identity/wallets/createWallet.js'
import { sendUnattributed } from '#sale/ledger/sendUnattributed.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, type OrderWorld } from '../../helpers/createOrderWorld.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'

const holder = 'So11111111111111111111111111111111111111112'
const ada = '0x00000000000000000000000000000000000000ad'

const refuse = (): never => {
  throw new Error('an EVM wallet was looked for on another family')
}

/** A chain of a family with other addresses, on which the service keeps no wallets for users. */
const createOtherFamily = (): ChainPort => {
  const { port } = createFakeChain({ now: Date.now, chain: 'solana' })
  return {
    ...port,
    family: 'solana',
    parseAddress: (text) => (/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) ? text : undefined),
    wallets: {
      ...port.wallets,
      custodialType: undefined,
      accountAddress: refuse,
      calls: undefined,
      operations: undefined,
      messages: undefined,
    },
  }
}

let database: OpenDatabase
let world: OrderWorld
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  await clearDatabase(database.db)
  const evm = createFakeChain({ now: Date.now })
  // The first enabled chain is of the other family.
  world = await createOrderWorld({ db: database.db, chains: [createOtherFamily(), evm.port], now: Date.now })
  await world.createCollection({ id: 'there', chain: 'solana' })
})

const sellThere = { lineItems: { collectionLocator: 'kassa:there' } }

test.each(['evm-smart-wallet', 'evm-mpc-wallet'] as const)(
  'behavior: an %s has its address by a chain of its family',
  async (type) => {
    const { status, body } = await createWallet(world.deps, world.serverCall, { type })
    expect(status).toBe(201)
    expect(body.address).toMatch(/^0x[0-9a-fA-F]{40}$/)
  },
)

test('behavior: an address of the family receives what its chain sells', async () => {
  const { order } = await world.create({ ...sellThere, recipient: { walletAddress: holder } })
  expect(order.lineItems[0]?.delivery.recipient?.walletAddress).toBe(holder)
})

describe('error: input-invalid', () => {
  test('an e-mail recipient where the service keeps no wallets', async () => {
    await expect(world.create({ ...sellThere, recipient: { email: 'ada@example.com' } })).rejects.toThrow(
      'recipient.email: the service does not keep wallets for users on solana: use an address',
    )
  })

  test('a mint to a user where the service keeps no wallets', async () => {
    const body = {
      recipient: 'email:ada@example.com:solana',
      metadata: { name: 'Tea', image: 'ipfs://tea', description: '' },
    }
    await expect(mintNft(world.deps, world.serverCall, { collectionId: 'there', body })).rejects.toThrow(
      'recipient: the service does not keep wallets for users on solana: use an address',
    )
  })

  test('an address of another family', async () => {
    await expect(world.create({ ...sellThere, recipient: { walletAddress: ada } })).rejects.toThrow(
      `recipient.walletAddress: ${ada} is not an address on solana`,
    )
  })

  test('a payment on a chain where the recipient of the proceeds has no address', async () => {
    await world.createCollection({ id: 'payee', recipientAddress: holder })
    await expect(world.create({ lineItems: { collectionLocator: 'kassa:payee' } })).rejects.toThrow(
      /^payment\.method: .+ cannot be paid on base-sepolia: the recipient of its payments has no address there$/,
    )
  })

  test('a transaction of a wallet on a chain of another family, such as the burn of a token there', async () => {
    await createWallet(world.deps, world.serverCall, { type: 'evm-mpc-wallet' })
    const [wallet] = await database.db.select().from(wallets)
    if (!wallet) throw new Error('there is no wallet')
    const params = { chain: 'solana', call: { to: ada, data: '0x' } } as unknown as EvmMpcWalletParams
    await expect(startTransaction(world.deps, world.serverCall, { wallet, params })).rejects.toThrow(
      'params.chain: an evm-mpc-wallet has no address on solana',
    )
  })

  test('a transfer of what came to an order, of a token of another family', async () => {
    const { order } = await world.create({ ...sellThere, recipient: { walletAddress: holder } })
    const send = (currency: string) =>
      sendUnattributed(world.deps, { order: order.orderId, chain: 'solana', currency, to: holder })
    await expect(send(ada)).rejects.toThrow('currency: expected')
    // An address of the family is read, and there is nothing of that token.
    await expect(send(holder)).rejects.toThrow(/has no So1111/)
  })
})
