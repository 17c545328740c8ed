import type { TokenStandard } from 'kassa/schema'
import {
  type Abi,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  type Hex,
  zeroAddress,
  zeroHash,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Collection721 } from '#adapters/chains/evm/artifacts/Collection721.js'
import { Collection1155 } from '#adapters/chains/evm/artifacts/Collection1155.js'
import { CollectionFactory } from '#adapters/chains/evm/artifacts/CollectionFactory.js'
import { Subscription721 } from '#adapters/chains/evm/artifacts/Subscription721.js'
import { getDeployments, toReference } from '#adapters/chains/evm/connection/addresses.js'
import { createMint } from '../../../helpers/createMint.js'
import { createTestChain } from '../../../helpers/createTestChain.js'

let world: Awaited<ReturnType<typeof createTestChain>>

beforeAll(async () => {
  world = await createTestChain()
})
afterAll(() => world.close())

const standards = ['erc-721', 'erc-1155', 'erc-5643'] as const

const at = (address: Hex) => ({ address, ...Collection721 })

/** Reads the terms that a collection reports. */
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

  test("behavior: one key gives another contract in each standard, at the factory's address", async () => {
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
    ['erc-721', true, [erc165, erc721, erc721Metadata, erc4906, erc2981]],
    ['erc-721', false, [erc165, erc721, erc721Metadata, erc4906, erc5192, erc2981]],
    ['erc-5643', true, [erc165, erc721, erc721Metadata, erc4906, erc5192, erc5643, erc2981]],
    ['erc-1155', true, [erc165, erc1155, erc1155Metadata, erc2981]],
    ['erc-1155', false, [erc165, erc1155, erc1155Metadata, erc2981]],
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

  test('behavior: a token id can never be minted twice, and the refusal contains the call', async () => {
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

  test('behavior: a mint repeated under another key returns the first one', async () => {
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
    // The first copy fixed the limit.
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
    'behavior: a token of a soulbound %s cannot be transferred',
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

  test('error: a batch that fits into no transaction is refused instead of waiting', async () => {
    const { collection } = await world.createCollection()
    const uri = `ipfs://${'a'.repeat(59)}`
    const tokens = Array.from({ length: 130 }, (_, index) => createMint({ tokenId: BigInt(index), uri }))
    expect(await world.chain.mint(`huge:${collection.key}`, { collection, tokens })).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/more than the \d+ a transaction may use/),
    })
  })
})

const mint = { to: zeroAddress, tokenId: 1n, uri: '', mintId: zeroHash, template: zeroHash }
const newTerms = {
  name: '',
  symbol: '',
  uri: '',
  supplyLimit: 0n,
  transferable: true,
  owner: zeroAddress,
  royaltyBasisPoints: 0,
}

/** Reads a collection's owner and the royalty of a resale. */
const readRoyalty = async (address: Hex, salePrice: bigint) => {
  const { readContract } = world.client
  const [receiver, amount] = await readContract({
    ...at(address),
    functionName: 'royaltyInfo',
    args: [1n, salePrice],
  })
  return { owner: await readContract({ ...at(address), functionName: 'owner' }), receiver, amount }
}

describe('royalties and owner', () => {
  const owner = getAddress('0x00000000000000000000000000000000000000bb')

  test.each(standards)('default: %s', async (standard) => {
    const { contractAddress } = await world.createCollection({ standard, owner, royaltyBasisPoints: 750 })
    expect(await readRoyalty(contractAddress, 10_001n)).toEqual({ owner, receiver: owner, amount: 750n })
    const most = 2n ** 256n - 1n
    const { amount } = await readRoyalty(contractAddress, most)
    expect(amount).toBe((most / 10_000n) * 750n + ((most % 10_000n) * 750n) / 10_000n)
  })

  test('default: without them, there is no royalty and the operator is the owner', async () => {
    const { contractAddress } = await world.createCollection()
    const { operator } = world
    expect(await readRoyalty(contractAddress, 10_000n)).toEqual({
      owner: operator,
      receiver: operator,
      amount: 0n,
    })
  })

  test('behavior: an update changes the terms, and an event names the new owner', async () => {
    const { collection, contractAddress, terms } = await world.createCollection()
    const changed = { ...terms, owner, royaltyBasisPoints: 10_000 }
    const input = { collection, revision: 1n, terms: changed }
    expect((await world.chain.updateCollection(`owner:${collection.key}`, input)).status).toBe('succeeded')
    expect(await readRoyalty(contractAddress, 77n)).toEqual({ owner, receiver: owner, amount: 77n })
    const events = await world.client.getContractEvents({
      ...at(contractAddress),
      eventName: 'OwnershipTransferred',
      fromBlock: 0n,
    })
    expect(events.map(({ args }) => args)).toEqual([
      { previousOwner: zeroAddress, newOwner: world.operator },
      { previousOwner: world.operator, newOwner: owner },
    ])
  })

  test('error: a royalty of more than the whole price', async () => {
    const { collection, terms } = await world.createCollection()
    const input = { collection, revision: 1n, terms: { ...terms, royaltyBasisPoints: 10_001 } }
    expect(await world.chain.updateCollection(`high:${collection.key}`, input)).toMatchObject({
      status: 'failed',
      reason: 'RoyaltyTooHigh(10001)',
    })
  })

  test.each(standards)('error: the owner of %s has no power over it', async (standard) => {
    const { address: account } = await world.createPayer()
    const { collection, contractAddress } = await world.createCollection({ standard, owner: account })
    const token = createMint()
    await world.chain.mint(`owned:${collection.key}`, { collection, tokens: [token] })
    const holder = getAddress(token.recipient)
    const newToken = { ...mint, templateLimit: 0n, expiresAt: 0n }
    const ofAll = {
      initialize: [[account, newTerms], 'InvalidInitialization'],
      mint: [[[newToken]], 'NotMinter'],
      update: [[1n, newTerms], 'NotMinter'],
      updateToken: [[1n, 1n, '', 0n], 'NotMinter'],
    }
    const ofSingles = {
      ...ofAll,
      approve: [[account, 1n], 'ERC721InvalidApprover'],
      burn: [[1n], 'ERC721InsufficientApproval'],
      transferFrom: [[holder, account, 1n], 'ERC721InsufficientApproval'],
      safeTransferFrom: [[holder, account, 1n], 'ERC721InsufficientApproval'],
    }
    const refusals: Record<TokenStandard, { abi: Abi; calls: Record<string, unknown[]> }> = {
      'erc-721': { abi: Collection721.abi, calls: ofSingles },
      'erc-5643': {
        abi: Subscription721.abi,
        calls: {
          ...ofSingles,
          renewSubscription: [[1n, 1n], 'NotMinter'],
          cancelSubscription: [[1n], 'NotHolder'],
        },
      },
      'erc-1155': {
        abi: Collection1155.abi,
        calls: {
          ...ofAll,
          burn: [[holder, 1n, 1n], 'ERC1155MissingApprovalForAll'],
          safeTransferFrom: [[holder, account, 1n, 1n, '0x'], 'ERC1155MissingApprovalForAll'],
          safeBatchTransferFrom: [[holder, account, [1n], [1n], '0x'], 'ERC1155MissingApprovalForAll'],
        },
      },
    }
    const { abi, calls } = refusals[standard]
    const writes = abi.flatMap((entry) =>
      entry.type === 'function' && !['view', 'pure'].includes(entry.stateMutability) ? [entry.name] : [],
    )
    // `setApprovalForAll` is about the caller's own tokens.
    expect(new Set(writes)).toEqual(new Set([...Object.keys(calls), 'setApprovalForAll']))
    for (const [functionName, [args, refusal]] of Object.entries(calls)) {
      const call = { account, address: contractAddress, abi, functionName, args: args as unknown[] }
      await expect(world.client.simulateContract(call), functionName).rejects.toThrow(`${refusal}`)
    }
  })
})

describe('burn', () => {
  const write = async (
    account: Hex,
    call: { address: Hex; abi: Abi; functionName: string; args: unknown[] },
  ) => {
    await world.client.impersonateAccount({ address: account })
    await world.client.setBalance({ address: account, value: 10n ** 18n })
    const data = encodeFunctionData(call)
    const hash = await world.client.sendUnsignedTransaction({ from: account, to: call.address, data })
    const { status } = await world.client.waitForTransactionReceipt({ hash })
    expect(status).toBe('success')
  }

  test.each(['erc-721', 'erc-5643'] as const)(
    'default: a holder burns a token of %s, transferable or not, and it is never minted again',
    async (standard) => {
      const change = { standard, transferable: false, supplyLimit: 1n }
      const { collection, contractAddress } = await world.createCollection(change)
      const token = createMint()
      const input = { collection, tokens: [token] }
      const minted = await world.chain.mint(`burn:${collection.key}`, input)
      await write(getAddress(token.recipient), { ...at(contractAddress), functionName: 'burn', args: [1n] })
      expect(await world.chain.ownerOf({ contractAddress, tokenId: 1n })).toBeUndefined()
      expect(await readSupply(contractAddress)).toBe(1n)
      // The mint requested under another key still returns the first one.
      expect(await world.chain.mint(`again:${collection.key}`, input)).toEqual(minted)
      const terms = { name: '', symbol: '', uri: '', supplyLimit: 0n, transferable: true }
      const unlimited = { collection, revision: 1n, terms }
      expect((await world.chain.updateCollection(`free:${collection.key}`, unlimited)).status).toBe(
        'succeeded',
      )
      await expect(
        world.client.simulateContract({
          account: world.operator,
          ...at(contractAddress),
          functionName: 'mint',
          args: [[{ ...mint, to: world.operator, templateLimit: 0n, expiresAt: 0n }]],
        }),
      ).rejects.toThrow('TokenBurned')
    },
  )

  test('default: a holder burns copies of a token of erc-1155, and the others stay', async () => {
    const { collection, contractAddress } = await world.createCollection({ standard: 'erc-1155' })
    const [one, other] = [createMint(), createMint()]
    await world.chain.mint(`burn:${collection.key}`, { collection, tokens: [one, other] })
    const address = { address: contractAddress, abi: Collection1155.abi }
    const holder = getAddress(one.recipient)
    await write(holder, { ...address, functionName: 'burn', args: [holder, 1n, 1n] })
    const balanceOf = (owner: string) =>
      world.client.readContract({ ...address, functionName: 'balanceOf', args: [getAddress(owner), 1n] })
    expect(await balanceOf(one.recipient)).toBe(0n)
    expect(await balanceOf(other.recipient)).toBe(1n)
  })
})

describe('access', () => {
  const terms = newTerms

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

  test.each(standards)(
    'error: no other account can take over %s, or the contract that it clones',
    async (standard) => {
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
    },
  )

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
