import { getBase58Decoder } from '@solana/kit'
import { verifyCredential } from 'kassa/chain'
import { privateKeyToAddress } from 'viem/accounts'
import { beforeAll, expect, test } from 'vitest'
import { getNft } from '#goods/nfts/findNft.js'
import { mintNft } from '#goods/nfts/mintNft.js'
import { fundWallet } from '#holdings/balances/fundWallet.js'
import { getBalances } from '#holdings/balances/getBalances.js'
import { getCredential } from '#holdings/credentials/getCredential.js'
import { listWalletTokens } from '#holdings/tokens/listWalletTokens.js'
import { burnNft } from '#holdings/transactions/burnNft.js'
import { createWallet } from '#identity/wallets/createWallet.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, type OrderWorld } from '../../helpers/createOrderWorld.js'
import { createTestSolana } from '../../helpers/createTestSolana.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const solana = openBeforeAll(createTestSolana)
const ada = 'email:ada@example.com'

let world: OrderWorld
let wallet: string
beforeAll(async () => {
  const evm = createFakeChain({ now: Date.now })
  // Fund locators name chains of both families.
  world = await createOrderWorld({ db: solana.db, chains: [evm.port, solana.chain], now: Date.now })
  await world.createCollection({ id: 'tea', chain: 'solana' })
  const body = { type: 'solana-mpc-wallet', linkedUser: ada } as const
  wallet = (await createWallet(world.deps, world.serverCall, body)).body.address
  // A user may have a wallet on another family too.
  await createWallet(world.deps, world.serverCall, { type: 'evm-mpc-wallet', linkedUser: ada })
})

const metadata = { name: 'Oolong', image: 'ipfs://oolong', description: 'A tea' }
const list = (identifier: string, page = 1, perPage = 20) =>
  listWalletTokens(world.deps, world.serverCall, { identifier, page, perPage })

test('default: a token minted for an e-mail address is in the list of its wallet', async () => {
  const body = { recipient: `${ada}:solana`, metadata, compressed: true, reuploadLinkedFiles: false }
  const minted = await mintNft(world.deps, world.serverCall, { collectionId: 'tea', nftId: 'first', body })
  expect(minted.onChain).toMatchObject({ status: 'pending', chain: 'solana', compressed: false })
  await world.drain()
  const again = await mintNft(world.deps, world.serverCall, { collectionId: 'tea', nftId: 'first', body })
  const { mintHash } = again.onChain
  expect(again.onChain).toMatchObject({ status: 'success', owner: wallet, mintHash: expect.any(String) })
  const listed = {
    chain: 'solana',
    mintHash,
    locator: `solana:${mintHash}`,
    metadata: { ...metadata, attributes: [], collection: expect.objectContaining({ id: 'tea' }) },
  }
  expect(await list(`${ada}:solana`)).toEqual([listed])
  expect(await list(`solana:${wallet}`)).toEqual([listed])
})

test('parameters: its pages', async () => {
  for (const nftId of ['second', 'third']) {
    const body = { recipient: `solana:${wallet}`, metadata, reuploadLinkedFiles: false }
    await mintNft(world.deps, world.serverCall, { collectionId: 'tea', nftId, body })
  }
  await world.drain()
  const all = await list(`solana:${wallet}`)
  expect(all).toHaveLength(3)
  expect([...(await list(`solana:${wallet}`, 1, 2)), ...(await list(`solana:${wallet}`, 2, 2))]).toEqual(all)
  expect(await list(`solana:${wallet}`, 3, 2)).toEqual([])
})

test('behavior: an address without tokens has an empty list', async () => {
  const nobodys = getBase58Decoder().decode(new Uint8Array(32).fill(99))
  expect(await list(`solana:${nobodys}`)).toEqual([])
})

test('behavior: its credential names its holder on Solana, and is verified offline', async () => {
  const [token] = await list(`solana:${wallet}`)
  const { mintHash } = token ?? {}
  const read = (nftLocator: string) => getCredential(world.deps, world.serverCall, { nftLocator })
  const { value } = await read(`solana:${mintHash}`)
  const genesis = (await solana.rpc.getGenesisHash().send()).slice(0, 32)
  expect(value).toMatchObject({
    credentialSubject: { id: `did:pkh:solana:${genesis}:${wallet}` },
    nft: { chain: 'solana', mintHash },
  })
  const issuer = privateKeyToAddress(world.deps.config.operatorKey)
  const shown = JSON.parse(JSON.stringify(value))
  expect(await verifyCredential(shown, { issuer })).toMatchObject({ holder: wallet })
  const other = { ...shown, nft: { ...shown.nft, mintHash: wallet } }
  expect(await verifyCredential(other, { issuer })).toEqual({ fault: 'not-signed' })
  await expect(read(`solana:${mintHash}:1`)).rejects.toThrow('nftLocator: expected')
  await expect(read(`solana:${wallet}`)).rejects.toThrow('not found')
})

test('behavior: a token in a wallet of the service is burned, once, and its account is closed', async () => {
  const [first] = await list(`solana:${wallet}`)
  const minted = await mintNft(world.deps, world.serverCall, {
    collectionId: 'tea',
    nftId: 'first',
    body: { recipient: `${ada}:solana`, metadata, compressed: true, reuploadLinkedFiles: false },
  })
  const { mintHash } = minted.onChain
  const burn = () => burnNft(world.deps, world.serverCall, { collectionId: 'tea', nftId: 'first' })
  const action = await burn()
  expect(action).toMatchObject({ action: 'nfts.delete', status: 'pending', data: { token: { mintHash } } })
  expect((await burn()).actionId).toBe(action.actionId)
  // Two processes run the same job.
  await Promise.all([world.drain(), world.drain()])
  const after = await list(`solana:${wallet}`)
  expect(after.map((token) => token.mintHash)).not.toContain(mintHash)
  expect(after).toHaveLength(2)
  expect(first).toBeDefined()
  expect(await solana.chain.wallets.findOwner({ contract: mintHash ?? '', tokenId: '' })).toBeUndefined()
  const call = { collectionId: 'tea', nftId: 'first' }
  expect((await getNft(world.deps, world.serverCall, call)).onChain).toMatchObject({ status: 'burned' })
  await expect(burn()).resolves.toMatchObject({ status: 'succeeded' })
})

const fund = (token: 'sol' | 'usdc', amount: number, chain: 'solana' | 'base-sepolia' = 'solana') =>
  fundWallet(world.deps, world.serverCall, { walletLocator: wallet, body: { token, amount, chain } })
const balances = (chains?: string) =>
  getBalances(world.deps, world.serverCall, { walletLocator: wallet, tokens: 'sol,usdc', chains })

test('behavior: it is funded, and its balances are those of the chains it is on', async () => {
  expect(await fund('sol', 2)).toMatchObject([{ token: 'sol', balances: { solana: '2000000000' } }])
  expect(await fund('usdc', 1.5)).toMatchObject([{ token: 'usdc', balances: { solana: '1500000' } }])
  expect(await balances()).toMatchObject([
    { token: 'sol', balances: { solana: '2000000000', total: '2000000000' } },
    { token: 'usdc', balances: { solana: '1500000', total: '1500000' } },
  ])
})

test('error: a chain of another family', async () => {
  const message = 'the address of a wallet of type solana-mpc-wallet is not on base-sepolia'
  await expect(fund('usdc', 1, 'base-sepolia')).rejects.toThrow(`chain: ${message}`)
  await expect(balances('base-sepolia')).rejects.toThrow(`chains: ${message}`)
})
