import type { WalletToken } from 'kassa/schema'
import { type Address, encodeFunctionData, getAddress, parseAbi, recoverTypedDataAddress } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Collection721 } from '#adapters/chains/evm/artifacts/Collection721.js'
import { createHandlers } from '#entry/createHandlers.js'
import { createTestChain } from '../../helpers/createTestChain.js'
import { createTestService, type TestService } from '../../helpers/createTestService.js'
import { type ReceivedCredential, verifyCredential } from '../../helpers/verifyCredential.js'

const abi = parseAbi([
  'function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data)',
  'function transferFrom(address from, address to, uint256 id)',
])
const image = 'https://shop.example/picture.png'

let world: Awaited<ReturnType<typeof createTestChain>>
let service: TestService
let ada: Awaited<ReturnType<(typeof world)['createPayer']>>
let bob: Awaited<ReturnType<(typeof world)['createPayer']>>

beforeAll(async () => {
  world = await createTestChain()
  service = await createTestService({
    chains: [world.chain],
    handlers: createHandlers,
    network: {
      safeFetch: async () => ({ bytes: new TextEncoder().encode('one'), contentType: 'image/png' }),
    },
  })
  ada = await world.createPayer()
  bob = await world.createPayer()
})
afterAll(async () => {
  await service.close()
  await world.close()
})

const ask = async (method: string, path: string, body?: unknown, key = service.serverKey) => {
  const response = await service.app.request(`/api${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> & unknown[] }
}
const list = async (identifier: string, query = ''): Promise<WalletToken[]> => {
  const path = `/2022-06-09/wallets/${encodeURIComponent(identifier)}/nfts${query}`
  const { status, body } = await ask('GET', path)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as unknown as WalletToken[]
}
const listOf = ({ address }: { address: string }) => list(`base-sepolia:${address}`)

/** Asks for something that changes the chain, and waits until it is done. */
const change = async (method: string, path: string, body: object) => {
  const { body: answer } = await ask(method, path, body)
  const read = async () => (await ask('GET', `/2022-06-09/actions/${answer.actionId}`)).body.status
  await expect.poll(read).toBe('succeeded')
  return answer
}
const createCollection = async (id: string, rest: object = {}) => {
  const metadata = { name: id, symbol: 'T', description: `About ${id}`, imageUrl: 'ipfs://picture' }
  await change('PUT', `/2022-06-09/collections/${id}`, { chain: 'base-sepolia', metadata, ...rest })
}
const mint = async (collectionId: string, recipient: string, name = 'One') => {
  const path = `/2022-06-09/collections/${collectionId}/nfts`
  const metadata = { name, image, attributes: [{ trait_type: 'Size', value: 'small' }] }
  const { id } = await change('POST', path, { recipient, metadata })
  const { body } = await ask('GET', `${path}/${id}`)
  return body.onChain as { contractAddress: Address; tokenId: string; owner: string }
}
const send = async (from: typeof ada, to: Address, data: `0x${string}`) => {
  const signed = await from.sign({ to, data })
  const hash = await world.client.sendRawTransaction({ serializedTransaction: signed })
  await world.client.waitForTransactionReceipt({ hash })
}
const credentialOf = async (locator: string) =>
  ask('GET', `/v1-alpha1/nfts/${encodeURIComponent(locator)}/credentials`)

describe('GET /wallets/{identifier}/nfts', () => {
  test('default: a token is listed where the chain has it, with what it shows', async () => {
    await createCollection('maps')
    const { contractAddress, tokenId } = await mint('maps', `base-sepolia:${ada.address}`)
    const expected = {
      chain: 'base-sepolia',
      contractAddress,
      tokenId,
      locator: `base-sepolia:${contractAddress}:${tokenId}`,
      tokenStandard: 'ERC-721',
      metadata: {
        name: 'One',
        image: expect.stringMatching(/^ipfs:\/\/bafk/),
        attributes: [{ trait_type: 'Size', value: 'small' }],
        collection: { id: 'maps', name: 'maps', description: 'About maps', image: 'ipfs://picture' },
      },
    }
    expect(await listOf(ada)).toEqual([expected])
    expect(await list(`base-sepolia:${ada.address.toLowerCase()}`)).toEqual([expected])

    const args = [ada.address, bob.address, BigInt(tokenId)] as const
    await send(ada, contractAddress, encodeFunctionData({ abi, functionName: 'transferFrom', args }))
    expect(await listOf(ada)).toEqual([])
    expect(await listOf(bob)).toEqual([expected])
    const question = { address: contractAddress, ...Collection721, functionName: 'ownerOf' } as const
    expect(await world.client.readContract({ ...question, args: [BigInt(tokenId)] })).toBe(bob.address)
  })

  test('default: what a user has been sent is theirs, by e-mail address however it is written', async () => {
    await createCollection('tickets')
    const { tokenId } = await mint('tickets', 'email:grace@example.com:base-sepolia')
    const tokens = await list('email:Grace@Example.com:base-sepolia')
    expect(tokens).toMatchObject([{ tokenId, metadata: { collection: { id: 'tickets' } } }])
    expect(await list('email:nobody@example.com:base-sepolia')).toEqual([])
  })

  test('default: semi-fungible tokens are listed with each holder', async () => {
    await createCollection('coins', { fungibility: 'semi-fungible' })
    const { body } = await ask('POST', '/2022-06-09/collections/coins/templates', {
      onChain: { tokenId: '7' },
      metadata: { name: 'Coin', image },
    })
    const path = '/2022-06-09/collections/coins/nfts'
    const recipient = `base-sepolia:${ada.address}`
    for (let copy = 0; copy < 2; copy++)
      await change('POST', path, { recipient, templateId: body.templateId })
    const [coin, ...rest] = (await listOf(ada)).filter(({ tokenStandard }) => tokenStandard === 'ERC-1155')
    expect(rest).toEqual([])
    expect(coin?.metadata.name).toBe('Coin')
    const contract = getAddress(coin?.contractAddress ?? '')
    const args = [ada.address, bob.address, BigInt(coin?.tokenId ?? 0), 1n, '0x'] as const
    await send(ada, contract, encodeFunctionData({ abi, functionName: 'safeTransferFrom', args }))
    for (const holder of [ada, bob]) {
      expect((await listOf(holder)).map(({ locator }) => locator)).toContain(coin?.locator)
    }
    expect(await credentialOf(coin?.locator ?? '')).toMatchObject({
      status: 400,
      body: { error: true, message: expect.stringContaining('semi-fungible') },
    })
  })

  test('default: subscriptions tell their end, and their credential ends with them', async () => {
    await createCollection('club', { subscription: { enabled: true }, transferable: false })
    const { contractAddress, tokenId } = await mint('club', `base-sepolia:${ada.address}`)
    const token = (await listOf(ada)).find((one) => one.contractAddress === contractAddress)
    expect(token).toMatchObject({ tokenStandard: 'ERC-5643', tokenId })
    const args = [BigInt(tokenId)] as const
    const subscriptionAbi = parseAbi(['function expiresAt(uint256) view returns (uint64)'])
    const question = { address: contractAddress, abi: subscriptionAbi, functionName: 'expiresAt' } as const
    const seconds = await world.client.readContract({ ...question, args })
    const expiresAt = new Date(Number(seconds) * 1000).toISOString()
    expect(token?.subscription).toEqual({ expiresAt })
    const { body } = await credentialOf(token?.locator ?? '')
    const { expirationDate } = body.value as ReceivedCredential
    expect(Date.parse(expirationDate)).toBeLessThanOrEqual(Date.parse(expiresAt))
  })

  test('behavior: pages keep their places while tokens move on chain', async () => {
    await createCollection('deck')
    const carol = await world.createPayer()
    const minted: { contractAddress: Address; tokenId: string }[] = []
    for (let at = 0; at < 9; at++)
      minted.push(await mint('deck', `base-sepolia:${carol.address}`, `Card ${at}`))
    const [contract] = minted.map(({ contractAddress }) => contractAddress)
    const moveOn = (at: number) => {
      const args = [carol.address, bob.address, BigInt(minted[at]?.tokenId ?? 0)] as const
      return send(carol, contract ?? '0x', encodeFunctionData({ abi, functionName: 'transferFrom', args }))
    }
    const seen: (string | undefined)[] = []
    for (let page = 1; page <= 3; page++) {
      const tokens = await list(`base-sepolia:${carol.address}`, `?page=${page}&perPage=3`)
      seen.push(...tokens.map(({ tokenId }) => tokenId))
      if (page === 1) for (const at of [0, 2, 4]) await moveOn(at)
    }
    const expected = minted.map(({ tokenId }) => tokenId).filter((_, at) => at !== 4)
    expect(seen).toEqual(expected)
  })

  test.each([
    ['no identifier', 'nothing', 400],
    ['a wrong checksum', `base-sepolia:0x${'Aa'.repeat(20)}`, 400],
    ['a chain that there is not', `mars:0x${'aa'.repeat(20)}`, 400],
    ['a chain that is not enabled', `base:0x${'aa'.repeat(20)}`, 400],
    ['odd letters', `base-sepolia:0x${'aa'.repeat(19)}\u0000'`, 400],
    ['a long one', 'a'.repeat(10_000), 400],
  ])('error: %s is answered in its own form', async (_what, identifier, expected) => {
    const { status, body } = await ask('GET', `/2022-06-09/wallets/${encodeURIComponent(identifier)}/nfts`)
    expect(status).toBe(expected)
    expect(body).toEqual({ error: expect.stringContaining('identifier: ') })
  })

  test('error: without a key, or with pages that are none', async () => {
    const path = `/2022-06-09/wallets/base-sepolia:${ada.address}/nfts`
    expect(await ask('GET', path, undefined, 'sk_none')).toEqual({
      status: 401,
      body: { error: expect.any(String) },
    })
    expect(await ask('GET', path, undefined, service.clientKey)).toMatchObject({
      body: { error: expect.any(String) },
    })
    for (const query of ['?page=0', '?perPage=101', '?page=x']) {
      expect(await ask('GET', path + query)).toMatchObject({
        status: 400,
        body: { error: expect.any(String) },
      })
    }
  })
})

describe('GET /nfts/{nftLocator}/credentials', () => {
  test('default: about the holder on chain, signed by a known address', async () => {
    await createCollection('badges')
    const { contractAddress, tokenId } = await mint('badges', `base-sepolia:${ada.address}`)
    const locator = `base-sepolia:${contractAddress}:${tokenId}`
    const issuer = privateKeyToAddress(service.deps.config.operatorKey)
    const get = async () => (await credentialOf(locator)).body.value as ReceivedCredential
    const credential = await get()
    expect(await verifyCredential(credential, { issuer, nowMs: Date.now() })).toEqual({ owner: ada.address })
    const { proof, ...claims } = credential
    const { proofValue, eip712, ...options } = proof
    const typed = { ...eip712, message: { ...claims, proof: options }, signature: proofValue }
    const recovered = recoverTypedDataAddress(typed as Parameters<typeof recoverTypedDataAddress>[0])
    expect(await recovered).toBe(issuer)

    const args = [ada.address, bob.address, BigInt(tokenId)] as const
    await send(ada, contractAddress, encodeFunctionData({ abi, functionName: 'transferFrom', args }))
    expect(await verifyCredential(await get(), { issuer, nowMs: Date.now() })).toEqual({ owner: bob.address })
  })

  test.each([
    ['nothing', 400],
    [`base-sepolia:0x${'aa'.repeat(20)}:1`, 404],
    [`base-sepolia:0x${'aa'.repeat(20)}:-1`, 400],
    [`solana:${'1'.repeat(40)}:1`, 400],
  ])('error: %s', async (locator, status) => {
    expect(await credentialOf(locator)).toMatchObject({ status, body: { error: true } })
  })
})
