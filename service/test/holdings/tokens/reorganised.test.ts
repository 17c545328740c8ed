import type { WalletToken } from 'kassa/schema'
import { type Address, encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestChain } from '../../helpers/createTestChain.js'
import { createTestService, type TestService } from '../../helpers/createTestService.js'

const abi = parseAbi(['function transferFrom(address from, address to, uint256 id)'])

let world: Awaited<ReturnType<typeof createTestChain>>
let contract: Address
let ada: Awaited<ReturnType<(typeof world)['createPayer']>>
let bob: Awaited<ReturnType<(typeof world)['createPayer']>>

beforeAll(async () => {
  world = await createTestChain()
  ada = await world.createPayer()
  bob = await world.createPayer()
})
afterAll(() => world.close())

describe.each([
  ['a development chain', true, true],
  ['a chain of others', false, true],
  ['a chain of others, of which no contract was named', false, false],
])('%s', (_what, isLocal, isNamed) => {
  let service: TestService

  beforeAll(async () => {
    const made = await world.createCollection()
    contract = made.contractAddress
    const tokens = ['1', '2', '3'].map((tokenId) => ({
      recipient: ada.address,
      tokenId: BigInt(tokenId),
      mintKey: `${contract}:${tokenId}`,
      uri: `https://elsewhere.example/${tokenId}`,
    }))
    const { status } = await world.chain.mint(`mint:${contract}`, { collection: made.collection, tokens })
    expect(status).toBe('succeeded')
    const nftContracts = isNamed ? [{ address: contract.toLowerCase(), fromBlock: 0n }] : []
    service = await createTestService({
      chains: [world.open({ isLocal })],
      config: {
        chains: { 'base-sepolia': { rpcUrl: undefined, confirmations: 1, tokens: [], nftContracts } },
      },
    })
  })
  afterAll(() => service.close())

  const list = async ({ address }: { address: Address }) => {
    const path = `/api/2022-06-09/wallets/base-sepolia:${address}/nfts`
    const response = await service.app.request(path, { headers: { 'x-api-key': service.serverKey } })
    const tokens = (await response.json()) as WalletToken[]
    return tokens.flatMap(({ contractAddress, tokenId }) => (contractAddress === contract ? [tokenId] : []))
  }
  const send = async (tokenId: bigint) => {
    const args = [ada.address, bob.address, tokenId] as const
    const data = encodeFunctionData({ abi, functionName: 'transferFrom', args })
    const hash = await world.client.sendRawTransaction({
      serializedTransaction: await ada.sign({ to: contract, data }),
    })
    await world.client.waitForTransactionReceipt({ hash })
  }

  test('default: tokens of a contract, wherever their metadata are', async () => {
    expect(await list(ada)).toEqual(['1', '2', '3'])
  })

  test('behavior: a transfer that a reorganisation takes back is taken back', async () => {
    const snapshot = await world.client.snapshot()
    await send(1n)
    await send(2n)
    expect(await list(ada)).toEqual(['3'])
    expect(await list(bob)).toEqual(['1', '2'])
    await world.client.revert({ id: snapshot })
    // Its blocks are others now, and no more of them.
    expect(await list(ada)).toEqual(['1', '2', '3'])
    await world.client.mine({ blocks: 5 })
    expect(await list(ada)).toEqual(['1', '2', '3'])
    expect(await list(bob)).toEqual([])
    await send(2n)
    expect(await list(ada)).toEqual(['1', '3'])
    expect(await list(bob)).toEqual(['2'])
  })
})
