import { type Address, encodeFunctionData, getAddress, type Hex, parseAbi, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createHandlers } from '#entry/createHandlers.js'
import { createTestChain } from './helpers/createTestChain.js'
import { createTestService } from './helpers/createTestService.js'
import { openBeforeAll } from './helpers/openBeforeAll.js'
import { readStored } from './helpers/readStored.js'

const abi = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function contractURI() view returns (string)',
  'function supplyLimit() view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function totalSupply(uint256) view returns (uint256)',
  'function transferable() view returns (bool)',
  'function ownerOf(uint256) view returns (address)',
  'function balanceOf(address, uint256) view returns (uint256)',
  'function tokenURI(uint256) view returns (string)',
  'function uri(uint256) view returns (string)',
  'function expiresAt(uint256) view returns (uint64)',
  'function transferFrom(address, address, uint256)',
  'function cancelSubscription(uint256) payable',
  'function supportsInterface(bytes4) view returns (bool)',
])
const Answer = z.looseObject({
  id: z.optional(z.string()),
  actionId: z.optional(z.string()),
  templateId: z.optional(z.string()),
})
const Done = z.looseObject({
  status: z.string(),
  data: z.looseObject({ txId: z.optional(z.string()) }),
})

const owner = privateKeyToAccount(generatePrivateKey())
const other = privateKeyToAccount(generatePrivateKey()).address
const picture = new TextEncoder().encode('a picture')

const world = openBeforeAll(createTestChain)
const service = openBeforeAll(() =>
  createTestService({
    chains: [world.chain],
    handlers: createHandlers,
    network: { safeFetch: async () => ({ bytes: picture, contentType: 'image/png' }) },
  }),
)

const ask = async (method: string, path: string, body?: unknown) => {
  const response = await service.app.request(`/api/2022-06-09${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'x-api-key': service.serverKey },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer: unknown = await response.json()
  expect(response.status, `${method} ${path}: ${JSON.stringify(answer)}`).toBe(200)
  return answer
}

/** Requests a change of the chain, and waits until it is done. */
const change = async (method: string, path: string, body: unknown) => {
  const { actionId, id } = z.parse(Answer, await ask(method, path, body))
  const read = async () => z.parse(Done, await ask('GET', `/actions/${actionId}`))
  await expect.poll(async () => (await read()).status).not.toBe('pending')
  const action = await read()
  expect(action).toMatchObject({ status: 'succeeded', actionId })
  return { id: id ?? '', actionId, action }
}
const read = async (path: string) => z.parse(z.looseObject({ onChain: z.unknown() }), await ask('GET', path))
const onChain = (answer: unknown) => z.parse(z.looseObject({ onChain: z.looseObject({}) }), answer).onChain
const readJson = (uri: string): Promise<unknown> => readStored(service.deps, uri)
const addressOf = async (path: string) => {
  const { contractAddress } = z.parse(
    z.looseObject({ contractAddress: z.string() }),
    onChain(await ask('GET', path)),
  )
  return getAddress(contractAddress)
}
const call = <Name extends string>(
  address: `0x${string}`,
  functionName: Name,
  args: readonly unknown[] = [],
) => world.client.readContract({ address, abi, functionName, args } as never) as Promise<unknown>

test('default: a collection is created, changed, and read back from its chain', async () => {
  const path = '/collections/atlas'
  const body = {
    chain: 'base-sepolia',
    metadata: {
      name: 'Atlas',
      symbol: 'ATL',
      description: 'Maps',
      imageUrl: 'https://shop.example/atlas.png',
    },
    supplyLimit: 3,
  }
  await change('PUT', path, body)
  const address = await addressOf(path)
  expect(await call(address, 'name')).toBe('Atlas')
  expect(await call(address, 'symbol')).toBe('ATL')
  expect(await call(address, 'supplyLimit')).toBe(3n)
  expect(await call(address, 'transferable')).toBe(true)
  const shown = { name: 'Atlas', description: 'Maps', image: expect.stringMatching(/^ipfs:\/\/bafk/) }
  expect(await readJson(String(await call(address, 'contractURI')))).toMatchObject(shown)
  expect(await read(path)).toMatchObject({ id: 'atlas', onChain: { chain: 'base-sepolia', type: 'erc-721' } })

  await change('PATCH', path, { supplyLimit: 5, transferable: false, metadata: { name: 'Atlas II' } })
  expect(await call(address, 'name')).toBe('Atlas II')
  expect(await call(address, 'supplyLimit')).toBe(5n)
  expect(await call(address, 'transferable')).toBe(false)
  expect(await readJson(String(await call(address, 'contractURI')))).toMatchObject({ name: 'Atlas II' })
  expect(await ask('GET', '/collections/')).toMatchObject({
    results: expect.arrayContaining([expect.objectContaining({ id: 'atlas', supplyLimit: 5 })]),
  })
  const created = z.parse(Answer, await ask('POST', '/collections', body))
  expect(created.id).toMatch(/^[0-9a-f-]{36}$/)
})

test('default: tokens are minted, listed, changed, and read back; a soulbound one stays', async () => {
  await change('PUT', '/collections/medals', {
    chain: 'base-sepolia',
    metadata: { name: 'Medals' },
    transferable: false,
  })
  const metadata = {
    name: 'First',
    image: 'https://shop.example/1.png',
    attributes: [{ trait_type: 'Year', value: 1 }],
  }
  const recipient = `base-sepolia:${owner.address}`
  const { action } = await change('PUT', '/collections/medals/nfts/first', { recipient, metadata })
  expect(action.data).toMatchObject({
    chain: 'base-sepolia',
    txId: expect.stringMatching(/^0x/),
    token: { id: 'first', tokenId: '1', owner: { walletAddress: owner.address } },
    recipient: { walletAddress: owner.address },
  })
  const { id } = await change('POST', '/collections/medals/nfts', {
    recipient: 'email:ada@example.com:base-sepolia',
    metadata,
  })
  const address = await addressOf('/collections/medals')
  expect(await call(address, 'ownerOf', [1n])).toBe(owner.address)
  expect(await readJson(String(await call(address, 'tokenURI', [1n])))).toMatchObject({
    name: 'First',
    image: expect.stringMatching(/^ipfs:/),
    attributes: metadata.attributes,
  })
  const transfer = { address, abi, functionName: 'transferFrom', args: [owner.address, other, 1n] } as const
  await expect(world.client.simulateContract({ ...transfer, account: owner.address })).rejects.toThrow(
    /NotTransferable|revert/,
  )
  expect(await call(address, 'supportsInterface', ['0xb45a3c0e'])).toBe(true)

  const list = z.parse(z.array(Answer), await ask('GET', '/collections/medals/nfts?perPage=10&page=1'))
  expect(list.map((nft) => nft.id)).toEqual([id, 'first'])
  const { owner: wallet } = z.parse(
    z.looseObject({ owner: z.string() }),
    onChain(await ask('GET', `/collections/medals/nfts/${id}`)),
  )
  expect(await call(address, 'ownerOf', [2n])).toBe(wallet)

  await change('PATCH', '/collections/medals/nfts/first', {
    metadata: { ...metadata, name: 'First, polished' },
  })
  expect(await readJson(String(await call(address, 'tokenURI', [1n])))).toMatchObject({
    name: 'First, polished',
  })
})

test('default: a template is minted up to its limit, in a semi-fungible collection as copies of one token', async () => {
  await change('PUT', '/collections/tickets', {
    chain: 'base-sepolia',
    metadata: { name: 'Tickets' },
    fungibility: 'semi-fungible',
  })
  const { templateId } = z.parse(
    Answer,
    await ask('POST', '/collections/tickets/templates', {
      metadata: { name: 'Balcony', image: 'https://shop.example/b.png' },
      onChain: { tokenId: '7' },
      supply: { limit: 2 },
    }),
  )
  const recipient = `base-sepolia:${owner.address}`
  await change('POST', '/collections/tickets/nfts', { recipient, templateId })
  await change('POST', '/collections/tickets/nfts', { recipient, templateId })
  const third = await service.app.request('/api/2022-06-09/collections/tickets/nfts', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': service.serverKey },
    body: JSON.stringify({ recipient, templateId }),
  })
  expect(third.status).toBe(409)
  const address = await addressOf('/collections/tickets')
  expect(await call(address, 'balanceOf', [owner.address, 7n])).toBe(2n)
  expect(await readJson(String(await call(address, 'uri', [7n])))).toMatchObject({ name: 'Balcony' })
  expect(await ask('GET', `/collections/tickets/templates/${templateId}`)).toMatchObject({
    templateId,
    onChain: { tokenId: 7 },
    supply: { limit: 2, minted: 2 },
  })
  expect(await ask('GET', '/collections/tickets/templates')).toHaveLength(1)
  expect(await read('/collections/tickets')).toMatchObject({ onChain: { type: 'erc-1155' } })
})

/** Sends a call from the chain's own account, and waits until it is in a block. */
const send = async (from: Address, to: Address, data: Hex) => {
  await world.client.setBalance({ address: from, value: 10n ** 18n })
  await world.client.impersonateAccount({ address: from })
  const params = [{ from, to, data, gas: toHex(200_000) }] as const
  const hash = (await world.client.request({ method: 'eth_sendTransaction', params } as never)) as Hex
  return world.client.waitForTransactionReceipt({ hash })
}

test('default: a subscription ends, is renewed, and cannot be transferred', async () => {
  await change('PUT', '/collections/club', {
    chain: 'base-sepolia',
    metadata: { name: 'Club' },
    subscription: { enabled: true },
  })
  const metadata = { name: 'Member', image: 'https://shop.example/m.png' }
  await change('PUT', '/collections/club/nfts/ada', { recipient: `base-sepolia:${owner.address}`, metadata })
  const address = await addressOf('/collections/club')
  const shown = z.looseObject({ subscription: z.looseObject({ expiresAt: z.string() }) })
  const { subscription } = z.parse(shown, await ask('GET', '/collections/club/nfts/ada'))
  expect(await call(address, 'expiresAt', [1n])).toBe(
    BigInt(Math.floor(Date.parse(subscription.expiresAt) / 1000)),
  )
  const expiresAt = '2035-06-01T00:00:00.000Z'
  await change('PATCH', '/collections/club/nfts/ada', { subscription: { expiresAt } })
  expect(await call(address, 'expiresAt', [1n])).toBe(BigInt(Date.parse(expiresAt) / 1000))
  const transfer = { address, abi, functionName: 'transferFrom', args: [owner.address, other, 1n] } as const
  await expect(world.client.simulateContract({ ...transfer, account: owner.address })).rejects.toThrow(
    /NotTransferable|revert/,
  )
  expect(await call(address, 'supportsInterface', ['0x8c65f84d'])).toBe(true)

  // Cancelled by its holder, it stays cancelled when its picture changes.
  const data = encodeFunctionData({ abi, functionName: 'cancelSubscription', args: [1n] })
  expect(await send(owner.address, address, data)).toMatchObject({ status: 'success' })
  const cancelled = await call(address, 'expiresAt', [1n])
  expect(cancelled).toBeLessThan(BigInt(Date.parse(expiresAt) / 1000))
  await change('PATCH', '/collections/club/nfts/ada', { metadata: { ...metadata, name: 'Former member' } })
  expect(await call(address, 'expiresAt', [1n])).toBe(cancelled)

  expect(await read('/collections/club')).toMatchObject({
    onChain: { type: 'erc-5643' },
    subscription: { enabled: true },
  })
})
