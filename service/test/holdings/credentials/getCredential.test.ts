import { hashTypedData, verifyTypedData } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { beforeEach, describe, expect, test } from 'vitest'
import { getCredential } from '#holdings/credentials/getCredential.js'
import { createProject } from '#identity/projects/projects.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { createNftWorld, type NftWorld } from '../../helpers/createNftWorld.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { hashCredential, type ReceivedCredential, verifyCredential } from '../../helpers/verifyCredential.js'

const ada = `0x${'a'.repeat(40)}`
const bob = `0x${'b'.repeat(40)}`
const dayMs = 24 * 60 * 60_000

const database = openBeforeAll(createTestDatabase)
let chain: FakeChain
let world: NftWorld
let nowMs: number
let contract: string
let locator: string

beforeEach(async () => {
  nowMs = 1_800_000_000_000
  await clearDatabase(database.db)
  chain = createFakeChain({ now: () => nowMs })
  world = await createNftWorld({ db: database.db, chains: [chain.port], now: () => nowMs })
  await world.createCollection({ id: 'tea' })
  await world.mint('tea', { recipient: `base-sepolia:${ada}` })
  await world.drain()
  contract = chain.port.collectionAddress({ key: `collection:${world.projectId}:tea`, standard: 'erc-721' })
  locator = `base-sepolia:${contract}:1`
})

/** The credential as received over the wire. */
const get = async (nftLocator = locator, call = world.serverCall): Promise<ReceivedCredential> =>
  JSON.parse(JSON.stringify((await getCredential(world.deps, call, { nftLocator })).value))
const verify = (credential: ReceivedCredential) =>
  verifyCredential(credential, { issuer: issuerAddress(), nowMs })
const issuerAddress = () => privateKeyToAddress(world.deps.config.operatorKey)
const didOf = (address: string) => `did:pkh:eip155:84532:${address}`

describe('getCredential', () => {
  test("default: names the token's holder, with a signature that others can verify", async () => {
    const credential = await get()
    expect(credential).toMatchObject({
      '@context': ['https://www.w3.org/2018/credentials/v1', expect.stringMatching(/^https:/)],
      id: expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/),
      type: ['VerifiableCredential', 'NftOwnershipCredential'],
      issuer: { id: didOf(issuerAddress()) },
      credentialSubject: { id: didOf(ada) },
      nft: { tokenId: '1', chain: 'base-sepolia', contractAddress: contract },
      issuanceDate: new Date(nowMs).toISOString(),
      expirationDate: new Date(nowMs + 30 * dayMs).toISOString(),
      proof: {
        type: 'EthereumEip712Signature2021',
        created: new Date(nowMs).toISOString(),
        proofPurpose: 'assertionMethod',
        verificationMethod: `${didOf(issuerAddress())}#blockchainAccountId`,
        proofValue: expect.stringMatching(/^0x[0-9a-f]{130}$/),
        eip712: {
          domain: { name: 'kassa', version: '1', chainId: 84532 },
          primaryType: 'VerifiableCredential',
        },
      },
    })
    expect(await verify(credential)).toEqual({ owner: ada })
  })

  test('behavior: an external library computes the same hash, and accepts the signature', async () => {
    const { proof, ...claims } = await get()
    const { proofValue, eip712, ...options } = proof
    const typed = { ...eip712, message: { ...claims, proof: options } } as Parameters<typeof hashTypedData>[0]
    expect(hashTypedData(typed)).toBe(hashCredential({ ...claims, proof } as ReceivedCredential))
    const address = privateKeyToAddress(world.deps.config.operatorKey)
    const isGood = await verifyTypedData({ ...typed, address, signature: proofValue as `0x${string}` })
    expect(isGood).toBe(true)
  })

  test('behavior: each credential is about the current holder, and each has its own id', async () => {
    const [first, second] = [await get(), await get()]
    expect(first.id).not.toBe(second.id)
    chain.wallets.move({ contract, tokenId: '1', from: ada, to: bob })
    expect(await verify(await get())).toEqual({ owner: bob })
  })

  test.each<[string, (credential: ReceivedCredential) => unknown]>([
    ['another owner', ({ credentialSubject }) => Object.assign(credentialSubject, { id: didOf(bob) })],
    ['another token', ({ nft }) => Object.assign(nft, { tokenId: '2' })],
    ['another contract', ({ nft }) => Object.assign(nft, { contractAddress: bob })],
    ['a longer time', (one) => Object.assign(one, { expirationDate: '2999-01-01T00:00:00.000Z' })],
    ['another type', (one) => Object.assign(one, { type: ['VerifiableCredential'] })],
    ['another id', (one) => Object.assign(one, { id: 'urn:uuid:0' })],
    ['another purpose', ({ proof }) => Object.assign(proof, { proofPurpose: 'authentication' })],
    ['another domain', ({ proof }) => Object.assign(proof.eip712.domain, { name: 'other' })],
    ['another signature', ({ proof }) => Object.assign(proof, { proofValue: `0x${'11'.repeat(64)}1b` })],
    [
      'a field that is not signed any more',
      ({ proof }) => {
        const types = proof.eip712.types as Record<string, { name: string; type: string }[]>
        const kept = types.VerifiableCredential?.filter(({ name }) => name !== 'expirationDate')
        types.VerifiableCredential = kept ?? []
      },
    ],
  ])('behavior: with %s it is invalid', async (_what, alter) => {
    const credential = await get()
    alter(credential)
    expect(await verify(credential)).toHaveProperty('fault')
  })

  test('behavior: it ends after thirty days', async () => {
    const credential = await get()
    nowMs += 30 * dayMs - 1
    expect(await verify(credential)).toEqual({ owner: ada })
    nowMs += 1
    expect(await verify(credential)).toEqual({ fault: 'expired' })
  })

  test.each([
    ['sooner than a month, then with it', 10 * dayMs, 10 * dayMs],
    ['later, then after a month', 90 * dayMs, 30 * dayMs],
  ])('behavior: of a subscription that ends %s', async (_when, endsAfterMs, expectedMs) => {
    const expiresAt = BigInt(nowMs + endsAfterMs) / 1000n
    chain.wallets.mint({ contract, tokenId: '5', to: ada, standard: 'ERC-5643', expiresAt })
    const { expirationDate } = await get(`base-sepolia:${contract}:5`)
    expect(expirationDate).toBe(new Date(nowMs + expectedMs).toISOString())
  })

  test('behavior: for an ended subscription it has ended already', async () => {
    const expiresAt = BigInt(nowMs - dayMs) / 1000n
    chain.wallets.mint({ contract, tokenId: '5', to: ada, standard: 'ERC-5643', expiresAt })
    expect(await verify(await get(`base-sepolia:${contract}:5`))).toEqual({ fault: 'expired' })
    const never = 2n ** 64n - 1n
    chain.wallets.mint({ contract, tokenId: '6', to: ada, standard: 'ERC-5643', expiresAt: never })
    expect(await verify(await get(`base-sepolia:${contract}:6`))).toEqual({ owner: ada })
  })

  test.each([
    ['no such token', () => `base-sepolia:${contract}:2`],
    ['a contract that the project does not know', () => `base-sepolia:${bob}:1`],
  ])('error: not-found, %s', async (_what, locate) => {
    await expect(get(locate())).rejects.toMatchObject({ code: 'not-found' })
  })

  test('error: not-found, a burned token', async () => {
    chain.wallets.move({ contract, tokenId: '1', from: ada })
    await expect(get()).rejects.toMatchObject({ code: 'not-found' })
  })

  test('error: not-found, another project’s token, in the same words as for an unknown one', async () => {
    const projectId = await createProject(database.db, 'another')
    const actor = { ...world.serverCall.actor, projectId } as typeof world.serverCall.actor
    const refusal = (nftLocator: string) =>
      get(nftLocator, { ...world.serverCall, actor }).catch(({ code, message }) => ({ code, message }))
    expect(await refusal(locator)).toEqual({ code: 'not-found', message: `Token ${locator} not found` })
    const absent = `base-sepolia:${bob}:1`
    expect(await refusal(absent)).toEqual({ code: 'not-found', message: `Token ${absent} not found` })
  })

  test.each([
    ['nothing', () => 'tea', 'expected <chain>:<contractAddress>:<tokenId>'],
    ['no token', () => `base-sepolia:${contract}`, 'expected'],
    ['a token in words', () => `base-sepolia:${contract}:one`, 'expected'],
    ['a token beyond the last', () => `base-sepolia:${contract}:${2n ** 256n}`, 'expected'],
    ['a chain that is not enabled', () => `base:${contract}:1`, 'base is not enabled'],
    ['a wrong checksum', () => `base-sepolia:0x${'Aa'.repeat(20)}:1`, 'its checksum is wrong'],
  ])('error: input-invalid, %s', async (_what, locate, message) => {
    await expect(get(locate())).rejects.toMatchObject({
      code: 'input-invalid',
      message: expect.stringMatching(new RegExp(`^nftLocator: .*${message}`)),
    })
  })

  test('error: input-invalid, a semi-fungible token', async () => {
    chain.wallets.mint({ contract, tokenId: '5', to: ada, standard: 'ERC-1155' })
    await expect(get(`base-sepolia:${contract}:5`)).rejects.toMatchObject({ code: 'input-invalid' })
  })

  test('error: chain-unavailable', async () => {
    chain.state.isAway = true
    await expect(get()).rejects.toMatchObject({ code: 'chain-unavailable' })
  })
})
