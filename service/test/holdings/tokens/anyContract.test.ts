import type { WalletToken } from 'kassa/schema'
import { type Address, concatHex, encodeFunctionData, type Hex, padHex, parseAbi, toHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMint } from '../../helpers/createMint.js'
import { createTestChain } from '../../helpers/createTestChain.js'
import { createTestService, type TestService } from '../../helpers/createTestService.js'
import { type ReceivedCredential, verifyCredential } from '../../helpers/verifyCredential.js'

const abi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  'function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] values, bytes data)',
  'function transferFrom(address from, address to, uint256 id)',
])
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

let world: Awaited<ReturnType<typeof createTestChain>>
let service: TestService
let ada: Awaited<ReturnType<(typeof world)['createPayer']>>
/** A wallet that the service keeps. */
let grace: Address

beforeAll(async () => {
  world = await createTestChain()
  ada = await world.createPayer()
  // No contract is named, and no collection of the project is there.
  service = await createTestService({ chains: [world.open({ isLocal: false })] })
  const { body } = await ask('POST', '/2022-06-09/wallets', {
    type: 'evm-mpc-wallet',
    linkedUser: 'email:grace@example.com',
  })
  grace = body.address as Address
})
afterAll(async () => {
  await service.close()
  await world.close()
})

const ask = async (method: string, path: string, body?: unknown) => {
  const response = await service.app.request(`/api${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'x-api-key': service.serverKey },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
const list = async (identifier: string): Promise<WalletToken[]> => {
  const { status, body } = await ask('GET', `/2022-06-09/wallets/${encodeURIComponent(identifier)}/nfts`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as unknown as WalletToken[]
}
const listOf = (address: string) => list(`base-sepolia:${address}`)
const listOfGrace = () => list('email:grace@example.com:base-sepolia')

const send = async (call: { to?: Address; data: Hex }) => {
  const hash = await world.client.sendRawTransaction({ serializedTransaction: await ada.sign(call) })
  return world.client.waitForTransactionReceipt({ hash })
}
/** Tokens of a contract that the service did not deploy and does not know, held by ada. */
const mintForeign = async (standard: 'erc-721' | 'erc-1155', ids: readonly bigint[]) => {
  const { collection, contractAddress } = await world.createCollection({ standard })
  const tokens = ids.map((tokenId) =>
    createMint({ recipient: ada.address, tokenId, uri: 'data:application/json,{"name":"Foreign"}' }),
  )
  expect(await world.chain.mint(`mint:${contractAddress}`, { collection, tokens })).toMatchObject({
    status: 'succeeded',
  })
  return contractAddress
}

test('default: ERC-721, with a wallet of the service and with an address that is asked for the first time', async () => {
  const contractAddress = await mintForeign('erc-721', [1n, 2n])
  const args = [ada.address, grace, 1n] as const
  await send({ to: contractAddress, data: encodeFunctionData({ abi, functionName: 'transferFrom', args }) })
  const metadata = { attributes: [], collection: {}, name: 'Foreign' }
  const shared = { chain: 'base-sepolia', contractAddress, tokenStandard: 'ERC-721', metadata }
  const tokenOf = (tokenId: string) => {
    return { ...shared, tokenId, locator: `base-sepolia:${contractAddress}:${tokenId}` }
  }
  expect(await listOfGrace()).toEqual([tokenOf('1')])
  expect(await listOf(ada.address)).toEqual([tokenOf('2')])
  for (const [tokenId, holder] of [
    ['1', grace],
    ['2', ada.address],
  ] as const) {
    const locator = encodeURIComponent(tokenOf(tokenId).locator)
    const { status, body } = await ask('GET', `/v1-alpha1/nfts/${locator}/credentials`)
    expect(status, JSON.stringify(body)).toBe(200)
    const credential = body.value as ReceivedCredential
    const terms = { issuer: privateKeyToAddress(service.deps.config.operatorKey), nowMs: Date.now() }
    expect(await verifyCredential(credential, terms)).toEqual({ owner: holder })
  }
})

test('default: ERC-1155, in batches', async () => {
  const contractAddress = await mintForeign('erc-1155', [5n, 6n, 7n])
  const args = [ada.address, grace, [5n, 7n], [1n, 1n], '0x'] as const
  const data = encodeFunctionData({ abi, functionName: 'safeBatchTransferFrom', args })
  await send({ to: contractAddress, data })
  const idsOf = (tokens: readonly WalletToken[]) =>
    tokens.flatMap((token) => (token.contractAddress === contractAddress ? [token.tokenId] : []))
  expect(idsOf(await listOfGrace())).toEqual(['5', '7'])
  expect(idsOf(await listOf(ada.address))).toEqual(['6'])
})

test('error: not-found: a credential of a token whose holder the project never listed', async () => {
  const { collection, contractAddress } = await world.createCollection()
  await world.chain.mint(`mint:${contractAddress}`, { collection, tokens: [createMint()] })
  const locator = encodeURIComponent(`base-sepolia:${contractAddress}:1`)
  expect((await ask('GET', `/v1-alpha1/nfts/${locator}/credentials`)).status).toBe(404)
})

/**
 * A contract that logs a token's coming to an address when it is called without data, and burns all gas on every
 * question.
 */
const hostileCode = (to: Address): Hex => {
  const push32 = (value: Hex) => concatHex(['0x7f', padHex(value, { size: 32 })])
  const log = concatHex([push32('0x01'), push32(to), push32('0x00'), push32(transferTopic), '0x60006000a400'])
  const loop = 4 + (log.length - 2) / 2
  const code = concatHex([concatHex(['0x3660', toHex(loop), '0x57']), log, '0x5b60', toHex(loop), '0x56'])
  const size = toHex((code.length - 2) / 2, { size: 2 })
  return concatHex(['0x61', size, '0x80600a5f395ff3', code])
}

test('behavior: hostile contracts and addresses without a contract do not break the list', async () => {
  const before = await listOfGrace()
  const { contractAddress: hostile } = await send({ data: hostileCode(grace) })
  if (!hostile) throw new Error('the contract was not made')
  const { logs } = await send({ to: hostile, data: '0x' })
  expect(logs).toHaveLength(1)
  const contract = await mintForeign('erc-721', [9n])
  const args = [ada.address, grace, 9n] as const
  await send({ to: contract, data: encodeFunctionData({ abi, functionName: 'transferFrom', args }) })
  const after = await listOfGrace()
  expect(after.map(({ contractAddress }) => contractAddress)).toEqual([
    ...before.map(({ contractAddress }) => contractAddress),
    contract,
  ])
})
