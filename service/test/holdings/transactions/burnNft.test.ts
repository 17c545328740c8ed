import type { Action, Nft } from 'kassa/schema'
import { type Address, getAddress } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Collection721 } from '#adapters/chains/evm/artifacts/Collection721.js'
import { Collection1155 } from '#adapters/chains/evm/artifacts/Collection1155.js'
import type { Call } from '#base/call.js'
import { walletTransactions } from '#base/db/tables/index.js'
import { scopes } from '#base/scopes.js'
import { getAction } from '#goods/actions/actions.js'
import { burnNft } from '#holdings/transactions/burnNft.js'
import { createTransaction } from '#holdings/transactions/createTransaction.js'
import { listTransactions } from '#holdings/transactions/readTransactions.js'
import { createWallet } from '#identity/wallets/createWallet.js'
import { createNftWorld, type NftWorld } from '../../helpers/createNftWorld.js'
import { createTestChain } from '../../helpers/createTestChain.js'

let chain: Awaited<ReturnType<typeof createTestChain>>
let world: NftWorld
let id: string

beforeAll(async () => {
  chain = await createTestChain()
  world = await createNftWorld({ db: chain.db, chains: [chain.chain], now: Date.now })
})
afterAll(() => chain.close())
beforeEach(() => {
  id = crypto.randomUUID()
})

const mint = async (body: object): Promise<Nft> => {
  const { id: nftId } = await world.mint(id, body)
  await world.drain()
  return world.read(id, nftId)
}
/** Mints to a user whose account the service keeps. */
const mintToUser = (body: object = {}) => mint({ recipient: `email:${id}@example.com:base-sepolia`, ...body })
const burn = (nft: Nft): Promise<Action> =>
  burnNft(world.deps, world.serverCall, { collectionId: id, nftId: nft.id })
const follow = ({ actionId }: Action) => getAction(world.deps, world.serverCall, { actionId })
const read = (nft: Nft) => world.read(id, nft.id)
const contractOf = (nft: Nft): Address => getAddress(nft.onChain.contractAddress ?? '')
const tokenIdOf = (nft: Nft): bigint => BigInt(nft.onChain.tokenId ?? -1)
const ownerOf = (nft: Nft) =>
  chain.client.readContract({
    address: contractOf(nft),
    ...Collection721,
    functionName: 'ownerOf',
    args: [tokenIdOf(nft)],
  })
const transactions = () => chain.db.$count(walletTransactions)
const eventsOf = async (actionId: string) =>
  (await world.events()).filter((event) => event.actionId === actionId)
/** Has a user's account send its token elsewhere. */
const sendAway = (nft: Nft, to: Address) =>
  createTransaction(world.deps, world.serverCall, {
    walletLocator: nft.onChain.owner ?? '',
    body: {
      params: {
        chain: 'base-sepolia',
        call: {
          address: contractOf(nft),
          abi: Collection721.abi,
          functionName: 'transferFrom',
          args: [nft.onChain.owner, to, nft.onChain.tokenId],
        },
      },
    },
  })

describe('a unique token', () => {
  test('default: the account that the service keeps for its holder burns it', async () => {
    await world.listen('nfts.delete.succeeded', 'wallets.transaction.succeeded')
    await world.createCollection({ id, isTransferable: false })
    const nft = await mintToUser()
    const { owner, contractAddress, tokenId, txId } = nft.onChain
    expect(await ownerOf(nft)).toBe(owner)
    const action = await burn(nft)
    const data = {
      chain: 'base-sepolia',
      collection: { id, contractAddress },
      token: { id: nft.id, owner: { walletAddress: owner }, tokenId },
    }
    expect(action).toMatchObject({ action: 'nfts.delete', status: 'pending', data })
    expect((await read(nft)).onChain.status).toBe('success')
    await world.drain()
    const done = await follow(action)
    expect(done).toMatchObject({ status: 'succeeded', data: { ...data, txId: expect.stringMatching(/^0x/) } })
    await expect(ownerOf(nft)).rejects.toThrow('ERC721NonexistentToken')
    // The token keeps the transaction of its mint.
    expect((await read(nft)).onChain).toEqual({
      status: 'burned',
      chain: 'base-sepolia',
      contractAddress,
      tokenId,
      txId,
    })
    expect(await eventsOf(action.actionId)).toMatchObject([
      { type: 'wallets.transaction.succeeded' },
      { type: 'nfts.delete.succeeded', data: done.data, resource: expect.stringContaining(nft.id) },
    ])
    const [sent] = (
      await listTransactions(world.deps, world.serverCall, {
        walletLocator: owner ?? '',
        page: 1,
        perPage: 10,
      })
    ).transactions
    expect(sent).toMatchObject({ id: action.actionId, status: 'success' })
  })

  test('behavior: the same request again is answered with the same action', async () => {
    await world.createCollection({ id })
    const nft = await mintToUser()
    const before = await transactions()
    const action = await burn(nft)
    expect(await burn(nft)).toEqual(action)
    await world.drain()
    expect(await burn(nft)).toEqual(await follow(action))
    expect(await transactions()).toBe(before + 1)
  })

  test('behavior: a smart wallet that the service signs for burns it', async () => {
    await world.createCollection({ id })
    const { body: wallet } = await createWallet(world.deps, world.serverCall, { type: 'evm-smart-wallet' })
    const nft = await mint({ recipient: `base-sepolia:${wallet.address}` })
    const action = await burn(nft)
    await world.drain()
    expect(await follow(action)).toMatchObject({ status: 'succeeded' })
    await expect(ownerOf(nft)).rejects.toThrow('ERC721NonexistentToken')
  })

  test('error: forbidden: a session that has not confirmed', async () => {
    await world.createCollection({ id })
    const nft = await mintToUser()
    const { projectId } = world.serverCall.actor
    const actor = {
      kind: 'session' as const,
      sessionId: id,
      accountId: id,
      accountName: 'ada@example.com',
      role: 'owner' as const,
      projectId,
      scopes,
    }
    const burnAs = (call: Call) => burnNft(world.deps, call, { collectionId: id, nftId: nft.id })
    const call = { ...world.serverCall, actor }
    await expect(burnAs(call)).rejects.toMatchObject({ code: 'forbidden' })
    const confirmed = { ...call, actor: { ...actor, confirmedAtMs: world.deps.now() } }
    expect(await burnAs(confirmed)).toMatchObject({ status: 'pending' })
    // The one that is under way is answered to everyone who may ask.
    expect(await burnAs(call)).toMatchObject({ status: 'pending' })
    await world.drain()
  })

  test('behavior: its id is not used again', async () => {
    await world.createCollection({ id, supplyLimit: 1 })
    const nft = await mintToUser()
    await burn(nft)
    await world.drain()
    await expect(world.mint(id, {})).rejects.toMatchObject({ code: 'conflict' })
  })

  test('error: conflict, for one that its holder keeps', async () => {
    await world.createCollection({ id })
    const holder = await chain.createPayer()
    const nft = await mint({ recipient: `base-sepolia:${holder.address}` })
    await expect(burn(nft)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`in ${holder.address}, a wallet that the service does not sign for`),
    })
    expect(await ownerOf(nft)).toBe(holder.address)
  })

  test('error: conflict, for one in a wallet of another project', async () => {
    await world.createCollection({ id })
    const other = await createNftWorld({ db: chain.db, chains: [chain.chain], now: Date.now })
    const { body: wallet } = await createWallet(other.deps, other.serverCall, { type: 'evm-mpc-wallet' })
    const nft = await mint({ recipient: `base-sepolia:${wallet.address}` })
    const before = await transactions()
    await expect(burn(nft)).rejects.toMatchObject({ code: 'conflict' })
    expect(await transactions()).toBe(before)
  })

  test('error: conflict, while it is not minted', async () => {
    await world.createCollection({ id })
    const nft = await world.mint(id, {})
    await expect(burn(nft)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('is not minted yet'),
    })
    await world.drain()
  })

  test('error: conflict, for a change of one that is burned or about to be', async () => {
    await world.createCollection({ id })
    const nft = await mintToUser()
    const rename = () => world.update(id, nft.id, { metadata: { name: 'New', image: 'ipfs://new' } })
    const { actionId } = await burn(nft)
    await expect(rename()).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`about to be burned by the action ${actionId}`),
    })
    await world.drain()
    await expect(rename()).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('is burned'),
    })
  })

  test('error: not-found', async () => {
    await world.createCollection({ id })
    const missing = { collectionId: id, nftId: crypto.randomUUID() }
    await expect(burnNft(world.deps, world.serverCall, missing)).rejects.toMatchObject({ code: 'not-found' })
  })

  test('error: a token that was sent away before its burn stays, and its new holder keeps it', async () => {
    await world.listen('nfts.delete.failed')
    await world.createCollection({ id })
    const nft = await mintToUser()
    const friend = await chain.createPayer()
    await sendAway(nft, friend.address)
    const action = await burn(nft)
    await world.drain()
    const done = await follow(action)
    expect(done).toMatchObject({
      status: 'failed',
      data: {
        error: {
          reason: 'execution_reverted',
          revertReason: expect.stringContaining('ERC721InsufficientApproval'),
        },
      },
    })
    expect(await eventsOf(action.actionId)).toContainEqual(
      expect.objectContaining({ type: 'nfts.delete.failed', data: done.data }),
    )
    expect((await read(nft)).onChain.status).toBe('success')
    expect(await ownerOf(nft)).toBe(friend.address)
    // The failed burn is over: the next request is told who holds the token.
    await expect(burn(nft)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(friend.address),
    })
  })
})

describe('a semi-fungible token', () => {
  test('default: one copy is burned, and the others stay', async () => {
    await world.createCollection({ id, fungibility: 'semi-fungible' })
    const templateId = await world.createTemplate({ collectionId: id, tokenId: 1n })
    const copy = { metadata: undefined, templateId }
    const [one, two] = [await mintToUser(copy), await mintToUser(copy)]
    const balance = () =>
      chain.client.readContract({
        address: contractOf(one),
        ...Collection1155,
        functionName: 'balanceOf',
        args: [getAddress(one.onChain.owner ?? ''), tokenIdOf(one)],
      })
    expect(await balance()).toBe(2n)
    const action = await burn(one)
    await world.drain()
    expect(await follow(action)).toMatchObject({ status: 'succeeded' })
    expect(await balance()).toBe(1n)
    expect((await read(one)).onChain.status).toBe('burned')
    expect((await read(two)).onChain.status).toBe('success')
  })
})
