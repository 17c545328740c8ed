import { encodeDeployData, getAddress, type Hex, zeroAddress, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getDeployments, toReference } from '../../src/chains/evm/addresses.js'
import { Collection721 } from '../../src/chains/evm/artifacts/Collection721.js'
import { Collection1155 } from '../../src/chains/evm/artifacts/Collection1155.js'
import { CollectionFactory } from '../../src/chains/evm/artifacts/CollectionFactory.js'
import { Subscription721 } from '../../src/chains/evm/artifacts/Subscription721.js'
import { createMint } from '../helpers/createMint.js'
import { createTestChain } from '../helpers/createTestChain.js'

let world: Awaited<ReturnType<typeof createTestChain>>

beforeAll(async () => {
  world = await createTestChain()
})
afterAll(() => world.close())

const standards = ['erc-721', 'erc-1155', 'erc-5643'] as const

const at = (address: Hex) => ({ address, ...Collection721 })

/** What a collection says of itself. */
const readTerms = async (address: Hex) => {
  const read = (functionName: 'name' | 'symbol' | 'contractURI' | 'supplyLimit' | 'transferable') =>
    world.client.readContract({ ...at(address), functionName })
  const [name, symbol, uri, supplyLimit, transferable] = await Promise.all([
    read('name'),
    read('symbol'),
    read('contractURI'),
    read('supplyLimit'),
    read('transferable'),
  ])
  return { name, symbol, uri, supplyLimit, transferable }
}

const readSupply = (address: Hex) =>
  world.client.readContract({ ...at(address), functionName: 'totalSupply' })

describe('createCollection', () => {
  test.each(standards)('default: %s', async (standard) => {
    const terms = { name: 'Tea', symbol: 'TEA', uri: 'ipfs://tea', supplyLimit: 7n, transferable: false }
    const { contractAddress } = await world.createCollection({ standard, ...terms })
    expect(await readTerms(contractAddress)).toEqual(terms)
    expect(await readSupply(contractAddress)).toBe(0n)
  })

  test('behavior: one key stands for another contract in each standard, where the factory says', async () => {
    const key = crypto.randomUUID()
    const { collectionFactory, collectionCode } = getDeployments(world.operator, true)
    const addresses = await Promise.all(
      standards.map(async (standard) => {
        const told = await world.client.readContract({
          address: collectionFactory.address,
          ...CollectionFactory,
          functionName: 'collectionAddress',
          args: [toReference(key), collectionCode[standard].address],
        })
        expect(world.chain.collectionAddress({ key, standard })).toBe(told)
        const terms = { name: 'Tea', symbol: 'TEA', uri: '', supplyLimit: 0n, transferable: true }
        const input = { collection: { key, standard }, terms }
        expect(await world.chain.createCollection(key, input)).toMatchObject({ status: 'succeeded' })
        expect(await world.client.getCode({ address: told })).toMatch(/^0x363d3d373d3d3d363d73/)
        return told
      }),
    )
    expect(new Set(addresses).size).toBe(3)
  })

  const erc165 = '0x01ffc9a7'
  const [erc721, erc721Metadata] = ['0x80ac58cd', '0x5b5e139f'] as const
  const [erc1155, erc1155Metadata] = ['0xd9b67a26', '0x0e89341c'] as const
  const [erc4906, erc5192, erc5643] = ['0x49064906', '0xb45a3c0e', '0x8c65f84d'] as const
  const [erc2981, none] = ['0x2a55205a', '0xffffffff'] as const
  const all = [
    erc165,
    erc721,
    erc721Metadata,
    erc1155,
    erc1155Metadata,
    erc4906,
    erc5192,
    erc5643,
    erc2981,
  ] as const

  test.each([
    ['erc-721', true, [erc165, erc721, erc721Metadata, erc4906]],
    ['erc-721', false, [erc165, erc721, erc721Metadata, erc4906, erc5192]],
    ['erc-5643', true, [erc165, erc721, erc721Metadata, erc4906, erc5192, erc5643]],
    ['erc-1155', true, [erc165, erc1155, erc1155Metadata]],
    ['erc-1155', false, [erc165, erc1155, erc1155Metadata]],
  ] as const)('behavior: %s (transferable: %s) names its interfaces', async (standard, transferable, ids) => {
    const { contractAddress } = await world.createCollection({ standard, transferable })
    const supported = await Promise.all(
      [...all, none].map(async (id) => {
        const question = { ...at(contractAddress), functionName: 'supportsInterface', args: [id] } as const
        return (await world.client.readContract(question)) ? [id] : []
      }),
    )
    expect(supported.flat()).toEqual(all.filter((id) => ids.some((known) => known === id)))
  })
})

describe('mint', () => {
  test('default', async () => {
    const { collection, contractAddress } = await world.createCollection()
    const tokens = [1n, 2n].map((tokenId) => createMint({ tokenId, uri: `ipfs://token-${tokenId}` }))
    const result = await world.chain.mint(`mint:${collection.key}`, { collection, tokens })
    expect(result).toMatchObject({ status: 'succeeded' })
    const owner = await world.chain.ownerOf({ contractAddress, tokenId: 2n })
    expect(owner).toBe(tokens[1]?.recipient)
    expect(await world.chain.ownerOf({ contractAddress, tokenId: 3n })).toBeUndefined()
    const uri = { ...at(contractAddress), functionName: 'tokenURI', args: [2n] } as const
    expect(await world.client.readContract(uri)).toBe('ipfs://token-2')
    expect(await readSupply(contractAddress)).toBe(2n)
    const locked = { ...at(contractAddress), functionName: 'locked', args: [2n] } as const
    expect(await world.client.readContract(locked)).toBe(false)
  })

  test('behavior: one token id can never be minted twice, and whoever tries is told of the call', async () => {
    const { collection } = await world.createCollection()
    await world.chain.mint(`first:${collection.key}`, { collection, tokens: [createMint()] })
    const other = createMint({ template: { key: 'tea', limit: 5n } })
    expect(await world.chain.mint(`second:${collection.key}`, { collection, tokens: [other] })).toEqual({
      status: 'failed',
      reason: `ERC721InvalidSender(${zeroAddress})`,
      call: {
        functionName: 'mint',
        arguments: [
          [
            {
              to: other.recipient,
              tokenId: '1',
              uri: 'ipfs://one',
              mintId: toReference(other.mintKey),
              template: toReference('tea'),
              templateLimit: '5',
              expiresAt: '0',
            },
          ],
        ],
        calldata: expect.stringMatching(/^0x[0-9a-f]+$/),
      },
    })
  })

  test('behavior: a mint repeated under another key is the one that was made', async () => {
    const { collection } = await world.createCollection()
    const input = { collection, tokens: [createMint()] }
    const first = await world.chain.mint(`first:${collection.key}`, input)
    expect(await world.chain.mint(`second:${collection.key}`, input)).toEqual(first)
  })

  test.each(standards)('behavior: the supply limit of %s holds on chain', async (standard) => {
    const { collection, contractAddress } = await world.createCollection({ standard, supplyLimit: 2n })
    const tokens = [1n, 2n, 3n].map((tokenId) => createMint({ tokenId }))
    expect(await world.chain.mint(`many:${collection.key}`, { collection, tokens })).toMatchObject({
      status: 'failed',
      reason: 'SupplyLimitReached(2)',
      call: { functionName: 'mint' },
    })
    const some = { collection, tokens: tokens.slice(0, 2) }
    expect((await world.chain.mint(`some:${collection.key}`, some)).status).toBe('succeeded')
    const last = { collection, tokens: tokens.slice(2) }
    expect((await world.chain.mint(`last:${collection.key}`, last)).status).toBe('failed')
    expect(await readSupply(contractAddress)).toBe(2n)
  })

  test.each(standards)('behavior: the limit of a template of %s holds on chain', async (standard) => {
    const { collection, contractAddress } = await world.createCollection({ standard })
    const copyOf = (key: string, limit: bigint, tokenId: bigint) =>
      createMint({ tokenId, template: { key, limit } })
    const mint = (key: string, tokens: ReturnType<typeof createMint>[]) =>
      world.chain.mint(`${key}:${collection.key}`, { collection, tokens })
    const green = [1n, 2n, 3n].map((tokenId) => copyOf('green', 2n, tokenId))
    const limitReached = `TemplateLimitReached(${toReference('green')}, 2)`
    expect(await mint('all', green)).toMatchObject({ status: 'failed', reason: limitReached })
    expect((await mint('two', green.slice(0, 2))).status).toBe('succeeded')
    // The first copy has fixed it.
    for (const limit of [0n, 9n]) {
      const more = [copyOf('green', limit, 3n)]
      expect(await mint(`more${limit}`, more)).toMatchObject({ status: 'failed', reason: limitReached })
    }
    const others = [copyOf('black', 0n, 4n), copyOf('black', 1n, 5n), createMint({ tokenId: 6n })]
    expect((await mint('others', others)).status).toBe('succeeded')
    const read = (key: string) =>
      world.client.readContract({
        ...at(contractAddress),
        functionName: 'templates',
        args: [toReference(key)],
      })
    expect(await read('green')).toEqual([2n, 2n])
    expect(await read('black')).toEqual([0n, 2n])
  })

  test.each(['erc-721', 'erc-5643'] as const)(
    'behavior: a token of a soulbound %s stays',
    async (standard) => {
      const { collection, contractAddress } = await world.createCollection({ standard, transferable: false })
      const token = createMint()
      const { recipient } = token
      await world.chain.mint(`bound:${collection.key}`, { collection, tokens: [token] })
      await expect(
        world.client.simulateContract({
          account: getAddress(recipient),
          ...at(contractAddress),
          functionName: 'transferFrom',
          args: [getAddress(recipient), world.operator, 1n],
        }),
      ).rejects.toThrow('NotTransferable')
      const locked = { ...at(contractAddress), functionName: 'locked', args: [1n] } as const
      expect(await world.client.readContract(locked)).toBe(true)
      const events = await world.client.getContractEvents({
        ...at(contractAddress),
        eventName: 'Locked',
        fromBlock: 0n,
      })
      expect(events.map(({ args }) => args)).toEqual([{ tokenId: 1n }])
    },
  )

  test.each([
    ['erc-721', 100],
    ['erc-1155', 80],
    ['erc-5643', 90],
  ] as const)('behavior: of %s, %i tokens of a template fit into one transaction', async (standard, size) => {
    const { collection, contractAddress } = await world.createCollection({ standard, supplyLimit: 100n })
    const tokens = Array.from({ length: size }, (_, index) =>
      createMint({
        tokenId: BigInt(index) + 2n ** 64n,
        uri: `ipfs://bafkrei${String(index).padStart(52, 'a')}`,
        template: { key: 'tea', limit: 100n },
        ...(standard === 'erc-5643' && { expiresAt: 1_900_000_000n }),
      }),
    )
    const result = await world.chain.mint(`batch:${collection.key}`, { collection, tokens })
    expect(result.status).toBe('succeeded')
    const { gasUsed } = await world.client.getTransactionReceipt({ hash: result.txId as Hex })
    expect(gasUsed).toBeLessThan(16_777_216n)
    expect(await readSupply(contractAddress)).toBe(BigInt(size))
  })

  test('error: a batch that no transaction can hold is refused, not waited for', async () => {
    const { collection } = await world.createCollection()
    const uri = `ipfs://${'a'.repeat(59)}`
    const tokens = Array.from({ length: 130 }, (_, index) => createMint({ tokenId: BigInt(index), uri }))
    expect(await world.chain.mint(`huge:${collection.key}`, { collection, tokens })).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/more than the \d+ a transaction may use/),
    })
  })
})

describe('access', () => {
  const mint = { to: zeroAddress, tokenId: 1n, uri: '', mintId: zeroHash, template: zeroHash }
  const terms = { name: '', symbol: '', uri: '', supplyLimit: 0n, transferable: true }

  test.each(standards)('error: of %s, only the minter mints and changes', async (standard) => {
    const { contractAddress } = await world.createCollection({ standard })
    const { address: account } = await world.createPayer()
    const call = { account, ...at(contractAddress) }
    const token = { ...mint, templateLimit: 0n, expiresAt: 0n }
    const { simulateContract } = world.client
    const refused = [
      simulateContract({ ...call, functionName: 'mint', args: [[token]] }),
      simulateContract({ ...call, functionName: 'update', args: [1n, terms] }),
      simulateContract({ ...call, functionName: 'updateToken', args: [1n, 1n, '', 0n] }),
    ]
    await Promise.all(refused.map((each) => expect(each).rejects.toThrow('NotMinter')))
  })

  test.each(standards)('error: nobody makes %s, or what it is a clone of, theirs', async (standard) => {
    const { contractAddress } = await world.createCollection({ standard })
    const { address: account } = await world.createPayer()
    const code = getDeployments(world.operator, true).collectionCode[standard].address
    for (const address of [contractAddress, code]) {
      await expect(
        world.client.simulateContract({
          account,
          ...at(address),
          functionName: 'initialize',
          args: [account, terms],
        }),
      ).rejects.toThrow('InvalidInitialization')
    }
  })

  test('error: only the operator creates collections', async () => {
    const { address: account } = await world.createPayer()
    const { collectionFactory, collectionCode } = getDeployments(world.operator, true)
    await expect(
      world.client.simulateContract({
        account,
        address: collectionFactory.address,
        ...CollectionFactory,
        functionName: 'create',
        args: [zeroHash, collectionCode['erc-721'].address, '0x'],
      }),
    ).rejects.toThrow('OwnableUnauthorizedAccount')
  })

  test('behavior: the code of every contract is within the limit of a chain (EIP-170)', async () => {
    for (const { bytecode } of [Collection721, Collection1155, Subscription721]) {
      expect((encodeDeployData({ abi: [], bytecode }).length - 2) / 2).toBeLessThan(24_576)
    }
  })
})
