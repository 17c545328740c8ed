import { getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Collection1155 } from '#adapters/chains/evm/artifacts/Collection1155.js'
import { toReference } from '#adapters/chains/evm/connection/addresses.js'
import type { TokenMint } from '#base/ports/collections.js'
import { attemptKey } from '#base/ports/write.js'
import { createMint } from '../../../helpers/createMint.js'
import { createTestChain } from '../../../helpers/createTestChain.js'

let world: Awaited<ReturnType<typeof createTestChain>>

beforeAll(async () => {
  world = await createTestChain()
})
afterAll(() => world.close())

/** Creates a collection of copies and the reads of it. */
const createCopies = async (change: { transferable?: boolean } = {}) => {
  const { collection, contractAddress } = await world.createCollection({ standard: 'erc-1155', ...change })
  const at = { address: contractAddress, ...Collection1155 }
  const { readContract } = world.client
  return {
    at,
    key: collection.key,
    mint: (key: string, ...tokens: TokenMint[]) =>
      world.chain.mint(`${key}:${collection.key}`, { collection, tokens }),
    balanceOf: (owner: string, tokenId: bigint) =>
      readContract({ ...at, functionName: 'balanceOf', args: [getAddress(owner), tokenId] }),
    uri: (tokenId: bigint) => readContract({ ...at, functionName: 'uri', args: [tokenId] }),
    supplyOf: (tokenId: bigint) => readContract({ ...at, functionName: 'totalSupply', args: [tokenId] }),
    supply: () => readContract({ ...at, functionName: 'totalSupply' }),
    exists: (tokenId: bigint) => readContract({ ...at, functionName: 'exists', args: [tokenId] }),
  }
}

test('default', async () => {
  const copies = await createCopies()
  const [one, two, other] = [createMint(), createMint(), createMint({ tokenId: 2n, uri: 'ipfs://two' })]
  const again = createMint({ recipient: one.recipient })
  expect((await copies.mint('mint', one, two, other, again)).status).toBe('succeeded')
  expect(await copies.balanceOf(one.recipient, 1n)).toBe(2n)
  expect(await copies.balanceOf(two.recipient, 1n)).toBe(1n)
  expect(await copies.balanceOf(other.recipient, 1n)).toBe(0n)
  expect(await copies.uri(1n)).toBe('ipfs://one')
  expect(await copies.uri(2n)).toBe('ipfs://two')
  expect([await copies.supplyOf(1n), await copies.supplyOf(2n), await copies.supply()]).toEqual([3n, 1n, 4n])
  expect([await copies.exists(2n), await copies.exists(3n)]).toEqual([true, false])
  const events = await world.client.getContractEvents({
    ...copies.at,
    eventName: 'Minted',
    args: { mintId: toReference(two.mintKey) },
    fromBlock: 0n,
  })
  expect(events.map(({ args }) => args)).toEqual([
    { mintId: toReference(two.mintKey), to: two.recipient, tokenId: 1n },
  ])
})

test('behavior: one copy is minted once, however often it is requested, and found by its mint', async () => {
  const copies = await createCopies()
  const token = createMint()
  const first = await copies.mint('first', token)
  expect(await copies.mint('second', token)).toEqual(first)
  expect(
    await world.chain.mint(attemptKey(`first:${copies.key}`, 2), {
      collection: { key: copies.key, standard: 'erc-1155' },
      tokens: [token],
    }),
  ).toEqual(first)
  expect(await copies.supplyOf(1n)).toBe(1n)
  // A batch with another token would mint it again.
  expect(await copies.mint('beside', createMint(), token)).toMatchObject({
    status: 'failed',
    reason: `AlreadyMinted(${toReference(token.mintKey)})`,
    call: { functionName: 'mint' },
  })
  expect(await copies.supplyOf(1n)).toBe(1n)
})

test('behavior: a second copy leaves the URI of the first unchanged', async () => {
  const copies = await createCopies()
  await copies.mint('first', createMint())
  await copies.mint('second', createMint({ uri: 'ipfs://other' }))
  expect(await copies.uri(1n)).toBe('ipfs://one')
})

test('behavior: a receiving contract that refuses does not stop the rest of its batch', async () => {
  const copies = await createCopies()
  const { address } = await world.createPayer()
  await world.client.setCode({ address, bytecode: '0x60006000fd' })
  const other = createMint()
  const [refused, done] = await Promise.all([
    copies.mint('refused', createMint({ recipient: address })),
    copies.mint('done', other),
  ])
  expect([refused.status, done.status]).toEqual(['failed', 'succeeded'])
  expect(await copies.balanceOf(other.recipient, 1n)).toBe(1n)
  expect(await copies.balanceOf(address, 1n)).toBe(0n)
})

test.each([true, false])(
  'behavior: copies can be transferred where transferable is %s',
  async (transferable) => {
    const copies = await createCopies({ transferable })
    const token = createMint()
    await copies.mint('mint', token)
    const holder = getAddress(token.recipient)
    const recipient = getAddress(createMint().recipient)
    const call = { account: holder, ...copies.at }
    const outcomes = await Promise.allSettled([
      world.client.simulateContract({
        ...call,
        functionName: 'safeTransferFrom',
        args: [holder, recipient, 1n, 1n, '0x'],
      }),
      world.client.simulateContract({
        ...call,
        functionName: 'safeBatchTransferFrom',
        args: [holder, recipient, [1n], [1n], '0x'],
      }),
    ])
    const told = outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : 'done'))
    const expected = transferable ? 'done' : expect.stringContaining('NotTransferable')
    expect(told).toEqual([expected, expected])
  },
)
