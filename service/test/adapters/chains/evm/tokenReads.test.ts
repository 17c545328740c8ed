import {
  createWalletClient,
  custom,
  getAddress,
  type Hex,
  toFunctionSelector,
  toHex,
  zeroAddress,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findTransfersOf } from '#adapters/chains/evm/accounts/findTransfers.js'
import { Collection721 } from '#adapters/chains/evm/artifacts/Collection721.js'
import { createMint } from '../../../helpers/createMint.js'
import { createTestChain } from '../../../helpers/createTestChain.js'
import { startRelay } from '../../../helpers/startRelay.js'

let world: Awaited<ReturnType<typeof createTestChain>>

beforeAll(async () => {
  world = await createTestChain()
})
afterAll(() => world.close())

const wallets = () => world.chain.wallets
const createAddress = () => privateKeyToAccount(generatePrivateKey()).address
const findAll = async (contracts: readonly string[]) => {
  const { number } = await world.chain.getHead()
  return wallets().findTransfers({ fromBlock: 0n, toBlock: number, contracts })
}
const mint = async (
  standard: 'erc-721' | 'erc-1155' | 'erc-5643',
  tokens: Partial<ReturnType<typeof createMint>>[],
) => {
  const { collection, contractAddress } = await world.createCollection({ standard })
  const minted = tokens.map((token, at) => ({ ...createMint(), tokenId: BigInt(at + 1), ...token }))
  const result = await world.chain.mint(`mint:${contractAddress}`, { collection, tokens: minted })
  expect(result.status).toBe('succeeded')
  return { collection, contract: contractAddress }
}
/**
 * Deploys code that answers some functions with a word each, or with code for that function, and reverts on
 * all others.
 */
const putContract = async (answers: Record<string, bigint | Hex>) => {
  const address = createAddress()
  const isMatch = (signature: string, jump: number) =>
    `5f3560e01c63${toFunctionSelector(signature).slice(2)}1461${toHex(jump, { size: 2 }).slice(2)}57`
  const entries = Object.entries(answers)
  const word = (answer: bigint) => `7f${toHex(answer, { size: 32 }).slice(2)}5f5260205ff3`
  const bodies = entries.map(
    ([, answer]) => `5b${typeof answer === 'bigint' ? word(answer) : answer.slice(2)}`,
  )
  const headLength = entries.length * (isMatch('a()', 0).length / 2) + 4
  let at = headLength
  const heads = entries.map(([signature], index) => {
    const head = isMatch(signature, at)
    at += (bodies[index]?.length ?? 0) / 2
    return head
  })
  await world.client.setCode({ address, bytecode: `0x${heads.join('')}5f5f5ffd${bodies.join('')}` })
  return address
}
/** Code of an ERC-165 check that compares the requested id with one interface. */
const supports = (id: string): Hex => `0x60043560e01c63${id}145f5260205ff3`
const isErc721 = { 'supportsInterface(bytes4)': supports('80ac58cd') }

test("default: minted tokens with their recipients, in the chain's order", async () => {
  const [ada, bob] = [createAddress(), createAddress()]
  const singles = await mint('erc-721', [{ recipient: ada }, { recipient: bob }])
  const copies = await mint('erc-1155', [{ recipient: ada, tokenId: 4n }])
  const other = await mint('erc-721', [{}])
  const found = await findAll([singles.contract, copies.contract.toLowerCase()])
  const from = zeroAddress
  expect(found).toMatchObject([
    { contract: singles.contract, tokenId: '1', from, to: ada },
    { contract: singles.contract, tokenId: '2', from, to: bob },
    { contract: copies.contract, tokenId: '4', from, to: ada },
  ])
  expect(found.some(({ contract }) => contract === other.contract)).toBe(false)
  const [first, , last] = found.map(({ blockNumber }) => blockNumber)
  if (first === undefined || last === undefined) throw new Error('nothing was found')
  const contracts = [singles.contract, copies.contract]
  expect(await wallets().findTransfers({ fromBlock: last, toBlock: last, contracts })).toHaveLength(1)
  expect(await wallets().findTransfers({ fromBlock: first, toBlock: last - 1n, contracts })).toHaveLength(2)
  expect(await findAll([])).toEqual([])
})

test('behavior: ERC-20 transfers do not count', async () => {
  await wallets().fund('no-token', { currency: 'usdc', units: 5n, recipient: createAddress() })
  const usdc = world.chain.currencies.find(({ currency }) => currency === 'usdc')?.address ?? ''
  expect(await findAll([usdc])).toEqual([])
})

test('default: the kind of each token, as long as its holder holds it', async () => {
  const [ada, bob] = [createAddress(), createAddress()]
  const expiresAt = 1_900_000_000n
  const singles = await mint('erc-721', [{ recipient: ada, uri: 'ipfs://one' }])
  const copies = await mint('erc-1155', [{ recipient: ada, uri: 'ipfs://many', tokenId: 4n }])
  const news = await mint('erc-5643', [{ recipient: ada, uri: 'ipfs://news', expiresAt }])
  const ofContract = (contract: string, tokenId: string, holder: string) => ({ contract, tokenId, holder })
  expect(
    await wallets().readTokens([
      ofContract(singles.contract, '1', ada),
      ofContract(singles.contract.toLowerCase(), '1', ada.toLowerCase()),
      ofContract(singles.contract, '1', bob),
      ofContract(singles.contract, '9', ada),
      ofContract(copies.contract, '4', ada),
      ofContract(copies.contract, '4', bob),
      ofContract(news.contract, '1', ada),
      ofContract(world.operator, '1', ada),
    ]),
  ).toEqual([
    { standard: 'ERC-721', uri: 'ipfs://one', expiresAt: undefined },
    { standard: 'ERC-721', uri: 'ipfs://one', expiresAt: undefined },
    undefined,
    undefined,
    { standard: 'ERC-1155', uri: 'ipfs://many', expiresAt: undefined },
    undefined,
    { standard: 'ERC-5643', uri: 'ipfs://news', expiresAt },
    undefined,
  ])
  expect(await wallets().readTokens([])).toEqual([])
  expect(await wallets().findOwner(ofContract(singles.contract, '1', bob))).toEqual({
    owner: ada,
    expiresAt: undefined,
  })
  expect(await wallets().findOwner({ contract: singles.contract, tokenId: '9' })).toBeUndefined()
  expect(await wallets().findOwner({ contract: copies.contract, tokenId: '4' })).toBe('semi-fungible')
  expect(await wallets().findOwner({ contract: news.contract, tokenId: '1' })).toEqual({
    owner: ada,
    expiresAt,
  })
  expect(await wallets().findOwner({ contract: world.operator, tokenId: '1' })).toBeUndefined()
})

test('behavior: a transferred token belongs to its new holder, by log and by call', async () => {
  const [ada, bob] = [privateKeyToAccount(generatePrivateKey()), createAddress()]
  const { contract } = await mint('erc-721', [{ recipient: ada.address }])
  await world.client.setBalance({ address: ada.address, value: 10n ** 18n })
  await world.client.impersonateAccount({ address: ada.address })
  const { request } = await world.client.simulateContract({
    ...Collection721,
    address: contract,
    account: ada.address,
    functionName: 'transferFrom',
    args: [ada.address, bob, 1n],
  })
  const hash = await createWalletClient({
    chain: world.client.chain,
    transport: custom(world.client),
  }).writeContract(request)
  await world.client.waitForTransactionReceipt({ hash })
  const moved = (await findAll([contract])).at(-1)
  expect(moved).toMatchObject({ from: ada.address, to: bob, tokenId: '1' })
  const [before, after] = await wallets().readTokens([
    { contract, tokenId: '1', holder: ada.address },
    { contract, tokenId: '1', holder: bob },
  ])
  expect([before, after?.standard]).toEqual([undefined, 'ERC-721'])
})

test('behavior: a contract that reverts, burns its gas, answers without end or lies affects only its own tokens', async () => {
  const ada = createAddress()
  const good = await mint('erc-721', [{ recipient: ada, uri: 'ipfs://good' }])
  const word = BigInt(ada)
  const endless: Hex = '0x63003d09005ff3'
  const burning: Hex = '0x5b5f56'
  const owned = { ...isErc721, 'ownerOf(uint256)': word }
  const contracts = {
    reverting: await putContract({}),
    burning: await putContract({ 'supportsInterface(bytes4)': burning }),
    yesToAll: await putContract({ 'supportsInterface(bytes4)': 1n, 'ownerOf(uint256)': word }),
    dirtyOwner: await putContract({ ...isErc721, 'ownerOf(uint256)': word | (1n << 200n) }),
    endlessOwner: await putContract({ ...isErc721, 'ownerOf(uint256)': endless }),
    noUri: await putContract(owned),
    endlessUri: await putContract({ ...owned, 'tokenURI(uint256)': endless }),
    brokenUri: await putContract({ ...owned, 'tokenURI(uint256)': (1n << 256n) - 1n }),
  }
  const tokens = Object.values(contracts).flatMap((contract) => [
    { contract, tokenId: '1', holder: ada },
    { contract: good.contract, tokenId: '1', holder: ada },
  ])
  const held = await wallets().readTokens(tokens)
  const bare = { standard: 'ERC-721', uri: undefined, expiresAt: undefined }
  const fine = { ...bare, uri: 'ipfs://good' }
  const spoilt = [undefined, undefined, undefined, undefined, undefined, bare, bare, bare]
  expect(held).toEqual(spoilt.flatMap((each) => [each, fine]))
  expect(await wallets().findOwner({ contract: contracts.burning, tokenId: '1' })).toBeUndefined()
})

test('behavior: a hundred tokens of a contract that burns all its gas do not affect the others', async () => {
  const ada = createAddress()
  const good = await mint('erc-721', [{ recipient: ada }])
  const burning = await putContract({ ...isErc721, 'ownerOf(uint256)': '0x5b5f56' })
  const bad = Array.from({ length: 99 }, (_, at) => ({ contract: burning, tokenId: `${at}`, holder: ada }))
  const held = await wallets().readTokens([...bad, { contract: good.contract, tokenId: '1', holder: ada }])
  expect(held.slice(0, 99).every((token) => token === undefined)).toBe(true)
  expect(held.at(-1)?.standard).toBe('ERC-721')
})

test('behavior: a long metadata URI is read in a request for it alone', async () => {
  const ada = createAddress()
  const uri = `data:application/json,${'x'.repeat(5_000)}`
  const { contract } = await mint('erc-721', [{ recipient: ada, uri }])
  expect(await wallets().readTokens([{ contract, tokenId: '1', holder: ada }])).toMatchObject([{ uri }])
})

test("behavior: a subscription's end beyond all calendars becomes the last second of the last year", async () => {
  const ada = createAddress()
  const contract = await putContract({
    'supportsInterface(bytes4)': '0x60043560e01c806380ac58cd1490638c65f84d14175f5260205ff3',
    'ownerOf(uint256)': BigInt(ada),
    'expiresAt(uint256)': (1n << 256n) - 1n,
  })
  expect(await wallets().findOwner({ contract, tokenId: '1' })).toEqual({
    owner: getAddress(ada),
    expiresAt: 253_402_300_799n,
  })
})

test('error: a node that is away does not count as a contract that answers nonsense', async () => {
  const relay = await startRelay(
    await world.node.rpcUrl(),
    async () => {},
    (body) => (body.includes('eth_call') || body.includes('eth_blockNumber') ? 503 : undefined),
  )
  const chain = world.open({ rpcUrl: async () => relay.url })
  await expect(
    chain.wallets.readTokens([{ contract: world.operator, tokenId: '1', holder: world.operator }]),
  ).rejects.toMatchObject({ code: 'chain-unavailable' })
  await relay.close()
})

test('behavior: the transfers of any number of wallets take three queries, which exclude ERC-20 transfers', async () => {
  const asked: unknown[] = []
  const request = async (question: { method: string; params: unknown[] }) => {
    asked.push(question)
    return []
  }
  const many = Array.from({ length: 500 }, createAddress)
  const client = { request } as unknown as Parameters<typeof findTransfersOf>[0]
  await findTransfersOf(client, { fromBlock: 0n, toBlock: 9n, wallets: many })
  expect(asked).toMatchObject([
    { method: 'eth_getLogs', params: [{ topics: { length: 4 } }] },
    { method: 'eth_getLogs', params: [{ topics: { length: 4 } }] },
    { method: 'eth_getLogs', params: [{ topics: { length: 4 } }] },
  ])
})
