import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { mails } from '#base/db/tables/index.js'
import type { MintInput } from '#base/ports/collections.js'
import { getAction } from '#goods/actions/actions.js'
import { getNft } from '#goods/nfts/findNft.js'
import { mintNft } from '#goods/nfts/mintNft.js'
import { updateNft } from '#goods/nfts/updateNft.js'
import { burnNft } from '#holdings/transactions/burnNft.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, type OrderWorld } from '../../helpers/createOrderWorld.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'

const recipient = 'solana:7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU'
const mintOf = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const assetOf = 'So11111111111111111111111111111111111111112'
const metadata = { name: 'Oolong', image: 'ipfs://oolong' }

/** A chain that has the programs of compressed tokens, or not. */
const createChain = (compresses: boolean) => {
  const { port } = createFakeChain({ now: Date.now, chain: 'solana' })
  const inputs: MintInput[] = []
  const chain = {
    ...port,
    family: 'solana' as const,
    compresses,
    wallets: { ...port.wallets, custodialType: 'solana-mpc-wallet' as const },
    parseAddress: (text: string) => text,
    tokenAddress: () => mintOf,
    mint: async (_: string, input: MintInput) => {
      inputs.push(input)
      const isCompressed = input.tokens[0]?.isCompressed === true
      return { status: 'succeeded' as const, txId: 'tx', ...(isCompressed && { mintHash: assetOf }) }
    },
  }
  return { chain, inputs }
}

let database: OpenDatabase
let world: OrderWorld
const { chain, inputs } = createChain(true)
beforeAll(async () => {
  database = await createTestDatabase()
  world = await createOrderWorld({ db: database.db, chains: [chain], now: Date.now })
  await world.createCollection({ id: 'tea', chain: 'solana', supplyLimit: 9 })
  await world.createCollection({ id: 'many', chain: 'solana', fungibility: 'semi-fungible' })
})
afterAll(() => database.close())

const mint = (nftId: string, more: object = {}, on = world) =>
  mintNft(on.deps, on.serverCall, {
    collectionId: 'tea',
    nftId,
    body: { recipient, metadata, reuploadLinkedFiles: false, ...more },
  })
const get = (nftId: string) => getNft(world.deps, world.serverCall, { collectionId: 'tea', nftId })

test('default: its mintHash is its asset id, which is known once it is minted', async () => {
  const { onChain, actionId = '' } = await mint('leaf')
  expect(onChain).toMatchObject({ status: 'pending', compressed: true })
  expect(onChain).not.toHaveProperty('mintHash')
  await world.drain()
  expect((await get('leaf')).onChain).toMatchObject({
    status: 'success',
    compressed: true,
    mintHash: assetOf,
  })
  const action = await getAction(world.deps, world.serverCall, { actionId })
  expect(action).toMatchObject({ status: 'succeeded', data: { token: { id: 'leaf', mintHash: assetOf } } })
  expect(inputs.at(-1)).toMatchObject({ supplyLimit: 9n, tokens: [{ isCompressed: true }] })
})

test('behavior: the e-mail about it has its asset id', async () => {
  await mint('mailed', { recipient: 'email:ada@example.com:solana' })
  await world.drain()
  expect(await database.db.select().from(mails)).toMatchObject([
    { recipient: 'ada@example.com', data: { contractAddress: assetOf } },
  ])
})

test('parameters: compressed: false is a mint of its own', async () => {
  await mint('plain', { compressed: false })
  await world.drain()
  expect((await get('plain')).onChain).toMatchObject({ compressed: false, mintHash: mintOf })
  expect(inputs.at(-1)?.tokens[0]).not.toHaveProperty('isCompressed')
})

test('behavior: copies of a semi-fungible token are not compressed', async () => {
  const body = { recipient, metadata, reuploadLinkedFiles: false, compressed: true }
  const call = { collectionId: 'many', nftId: 'copy', body }
  expect((await mintNft(world.deps, world.serverCall, call)).onChain).toMatchObject({ compressed: false })
})

test('behavior: tokens that cannot be transferred are not compressed', async () => {
  await world.createCollection({ id: 'bound', chain: 'solana', isTransferable: false })
  const input = { collectionId: 'bound', body: { recipient, metadata, reuploadLinkedFiles: false } }
  const { onChain } = await mintNft(world.deps, world.serverCall, input)
  expect(onChain).toMatchObject({ compressed: false })
  const body = { ...input.body, compressed: true }
  await expect(mintNft(world.deps, world.serverCall, { ...input, body })).rejects.toThrow(
    'compressed: the collection bound has transferable: false, and a compressed token can always be transferred',
  )
})

test('behavior: on a cluster without the programs it is minted uncompressed, and says so', async () => {
  const { chain: plain } = createChain(false)
  const other = await createOrderWorld({ db: database.db, chains: [plain], now: Date.now })
  await other.createCollection({ id: 'tea', chain: 'solana' })
  expect((await mint('one', { compressed: true }, other)).onChain).toMatchObject({ compressed: false })
})

test('error: conflict, it is changed or burned', async () => {
  const call = { collectionId: 'tea', nftId: 'leaf' }
  const message = 'The token leaf is compressed, and the service has no indexer'
  const body = { metadata: { ...metadata, name: 'Pu-erh' } }
  await expect(updateNft(world.deps, world.serverCall, { ...call, body })).rejects.toThrow(message)
  await expect(burnNft(world.deps, world.serverCall, call)).rejects.toThrow(message)
})
