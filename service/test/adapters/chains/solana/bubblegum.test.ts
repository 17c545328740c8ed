import {
  type AccountMeta,
  type Address,
  address,
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpcFromTransport,
  getAddressEncoder,
  getBase58Decoder,
  getProgramDerivedAddress,
  type Instruction,
} from '@solana/kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { createBubblegum } from '#adapters/chains/solana/collections/bubblegum.js'
import { createCollectionWrites } from '#adapters/chains/solana/collections/collectionWrites.js'
import { accountAddress } from '#adapters/chains/solana/connection/accountAddress.js'
import type { Write } from '#adapters/chains/solana/outbox/write.js'

// No cluster here has these programs. The expected bytes are written out by the layout that they publish.

const programs = {
  bubblegum: address('BGUMAp9Gq7iTEuizy4pqaxsTyUCBK68MDfK752saRPUY'),
  compression: address('cmtDvXumGCrqC1Age74AVPhSRVXJMd8PJS91L8KbNCK'),
  noop: address('noopb9bkMVfRPU8AsbpTUg8AQkHtKwMYZiFUjNRtMmV'),
}
const system = '11111111111111111111111111111111'
const key = new Uint8Array(32).fill(7)
const operator = accountAddress(key)
const recipient = address('7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU')
const group = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
const bubblegum = createBubblegum(programs)
const tree = bubblegum.treeOf(operator, group)
const bytesOf = (text: Address) => Buffer.from(getAddressEncoder().encode(text))
const derive = async (...seeds: (string | Uint8Array)[]) =>
  (await getProgramDerivedAddress({ programAddress: programs.bubblegum, seeds }))[0]
const assetOf = (nonce: number) => {
  const index = Buffer.alloc(8)
  index.writeUInt32LE(nonce)
  return derive('asset', bytesOf(tree), index)
}

let config: Address
beforeAll(async () => {
  config = await derive(bytesOf(tree))
})

/** The accounts as `s` for a signer and `w` for one that is written. */
const show = (accounts: readonly AccountMeta[] = []) =>
  accounts.map(({ address, role }) => `${address}${role > 1 ? ' s' : ''}${role % 2 ? ' w' : ''}`)
const text = (value: string) => {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(Buffer.byteLength(value))
  return Buffer.concat([length, Buffer.from(value)])
}
const hex = (instruction: Instruction | undefined) => Buffer.from(instruction?.data ?? []).toString('hex')

/** What the compression program logs of a leaf that was added. */
const logLeaf = async (nonce: number, id?: Address) => {
  const index = Buffer.alloc(8)
  index.writeUInt32LE(nonce)
  const event = Buffer.concat([
    Buffer.from([1, 0, 0]),
    bytesOf(id ?? (await assetOf(nonce))),
    bytesOf(recipient),
    bytesOf(recipient),
    index,
    Buffer.alloc(96, 1),
  ])
  const length = Buffer.alloc(4)
  length.writeUInt32LE(event.length)
  return getBase58Decoder().decode(Buffer.concat([Buffer.from([1, 0]), length, event]))
}

/** A node that shows a transaction whose inner instructions are these logs, by a program. */
const nodeWith = (logs: readonly string[] | undefined, program: Address = programs.noop) => {
  const instructions = logs?.map((data) => ({ programIdIndex: 1, data, accounts: [] }))
  const transaction = { message: { accountKeys: [operator, program] } }
  const shown = logs && { transaction, meta: { innerInstructions: [{ index: 0, instructions }] } }
  return createSolanaRpcFromTransport(async ({ payload }) => {
    const { id, method } = Object(payload)
    const isThere = method === 'getTransaction' ? (shown ?? null) : { context: { slot: 1 }, value: null }
    return { jsonrpc: '2.0', id, result: isThere } as never
  })
}

describe('instructions', () => {
  test.each([
    ['a small collection', 100n, 14, 31_800],
    ['a collection without a limit', 0n, 20, 44_280],
  ])('default: the tree of %s', async (_, supplyLimit, depth, space) => {
    const signer = await createKeyPairSignerFromPrivateKeyBytes(key)
    const rents: number[] = []
    const rentFor = async (size: number) => BigInt(rents.push(size))
    const [account, create] = await bubblegum.createTree({ operator: signer, rentFor }, group, supplyLimit)
    expect(rents).toEqual([space])
    expect(account?.programAddress).toBe(system)
    expect(Buffer.from(account?.data ?? []).subarray(-32)).toEqual(bytesOf(programs.compression))
    expect(create?.programAddress).toBe(programs.bubblegum)
    expect(show(create?.accounts)).toEqual([
      `${config} w`,
      `${tree} w`,
      `${operator} s w`,
      `${operator} s`,
      programs.noop,
      programs.compression,
      system,
    ])
    // The discriminator, the depth, the buffer, and that it is not public.
    expect(hex(create)).toBe(`a553888e59ca2fdc${depth.toString(16).padStart(2, '0')}000000400000000100`)
  })

  test('default: a token', async () => {
    const signer = await createKeyPairSignerFromPrivateKeyBytes(key)
    const metadata = { name: 'Oolong', symbol: 'TEA', uri: 'ipfs://oolong' }
    const mint = await bubblegum.mint(signer, { tree, recipient, metadata })
    expect(show(mint.accounts)).toEqual([
      `${config} w`,
      recipient,
      recipient,
      `${tree} w`,
      `${operator} s`,
      `${operator} s`,
      programs.noop,
      programs.compression,
      system,
    ])
    const expected = Buffer.concat([
      Buffer.from('9162c076b8937668', 'hex'),
      text('Oolong'),
      text('TEA'),
      text('ipfs://oolong'),
      // No royalty; not sold before, mutable; no edition; non-fungible; no collection, no uses; version 0.
      Buffer.from('0000' + '00' + '01' + '00' + '0100' + '00' + '00' + '00', 'hex'),
      // One creator, verified, with all shares.
      Buffer.from('01000000', 'hex'),
      bytesOf(operator),
      Buffer.from('0164', 'hex'),
    ])
    expect(hex(mint)).toBe(expected.toString('hex'))
  })
})

describe('readAsset', () => {
  const read = async (logs: readonly string[] | undefined, program?: Address) =>
    bubblegum.readAsset(nodeWith(logs, program), '5'.repeat(88), tree)

  test('default: the asset of the leaf that its transaction added', async () => {
    expect(await read(['3Bxs4', await logLeaf(3)])).toBe(await assetOf(3))
  })

  test('behavior: undefined while the node does not show the transaction', async () => {
    expect(await read(undefined)).toBeUndefined()
  })

  test('error: a log of another program, of another tree, or none', async () => {
    const message = 'has added no token to the tree'
    await expect(read([await logLeaf(3)], system as Address)).rejects.toThrow(message)
    await expect(read([await logLeaf(3, await assetOf(4))])).rejects.toThrow(message)
    await expect(read([])).rejects.toThrow(message)
  })
})

describe('a compressed mint', () => {
  const token = {
    recipient,
    tokenId: 3n,
    name: 'A tea with a name that is longer than 32 bytes',
    symbol: 'TEA',
  }
  const input = {
    collection: { key: 'collection:p:c', standard: 'erc-721' as const },
    supplyLimit: 5n,
    tokens: [{ ...token, uri: 'ipfs://tea', mintKey: 'mint', isCompressed: true }],
  }

  /** Writes whose instructions are kept, on a cluster that has the trees of earlier ones. */
  const createWrites = async ({ hasPrograms = true, failing = '' } = {}) => {
    const signer = await createKeyPairSignerFromPrivateKeyBytes(key)
    type Sent = Pick<Write, 'trace' | 'isGuarded'> & { key: string; instructions: readonly Instruction[] }
    const sent: Sent[] = []
    const outbox = {
      send: async (sentKey: string, { makeInstructions, trace, isGuarded }: Write) => {
        if (failing && sentKey.startsWith(failing)) return { status: 'failed', reason: 'refused' }
        sent.push({ key: sentKey, instructions: await makeInstructions(), trace, isGuarded })
        return { status: 'succeeded', txId: '5'.repeat(88) }
      },
    }
    const rpc = createSolanaRpcFromTransport(async ({ payload }) => {
      const { id, method } = Object(payload)
      const log = { programIdIndex: 1, data: await logOf(sent), accounts: [] }
      const result =
        method === 'getTransaction'
          ? {
              transaction: { message: { accountKeys: [operator, programs.noop] } },
              meta: { innerInstructions: [{ index: 0, instructions: [log] }] },
            }
          : method === 'getAccountInfo'
            ? { context: { slot: 1 }, value: null }
            : 1_000
      return { jsonrpc: '2.0', id, result } as never
    })
    const writes = createCollectionWrites({
      chain: 'solana',
      operator,
      compression: hasPrograms ? bubblegum : undefined,
      use: (work) => work({ rpc, operator: signer, outbox } as never),
      read: (work) => work(rpc),
    })
    return { writes, sent }
  }
  const treeOf = (writes: Awaited<ReturnType<typeof createWrites>>['writes']) =>
    bubblegum.treeOf(operator, writes.collectionAddress(input.collection) as Address)
  let logOf = async (_: unknown) => ''

  test('default: the first one creates the tree, and its mintHash is that of its asset', async () => {
    const { writes, sent } = await createWrites()
    const own = treeOf(writes)
    const index = Buffer.alloc(8)
    const asset = await derive('asset', bytesOf(own), index)
    logOf = async () => logLeaf(0, asset)
    expect(await writes.mint('batch:1', input)).toEqual({
      status: 'succeeded',
      txId: '5'.repeat(88),
      mintHash: asset,
    })
    expect(sent.map(({ key: sentKey }) => sentKey)).toEqual([
      `tree:${writes.collectionAddress(input.collection)}`,
      'batch:1',
    ])
    const [mint, trace, ...others] = sent[1]?.instructions ?? []
    expect(others).toEqual([])
    // The name is clipped to what the program takes.
    expect(Buffer.from(mint?.data ?? []).subarray(8, 44)).toEqual(text(token.name.slice(0, 32)))
    const named = writes.tokenAddress(input.collection, 3n)
    expect(sent[1]?.trace).toBe(named)
    // A second tree cannot be created, and a second leaf can.
    expect(sent.map(({ isGuarded }) => isGuarded)).toEqual([false, true])
    expect(show(trace?.accounts)).toEqual([`${operator} s w`, `${named} w`])
    expect(hex(trace)).toBe('020000000000000000000000')
  })

  test('behavior: a tree that is refused fails the mint, and the next attempt plants another', async () => {
    const { writes, sent } = await createWrites({ failing: `tree:` })
    expect(await writes.mint('batch:1', input)).toEqual({ status: 'failed', reason: 'refused' })
    expect(sent).toEqual([])
    const again = await createWrites()
    logOf = async () => logLeaf(0, await derive('asset', bytesOf(treeOf(again.writes)), Buffer.alloc(8)))
    await again.writes.mint('batch:1#2', input)
    expect(again.sent[0]?.key).toBe(`tree:${again.writes.collectionAddress(input.collection)}#2`)
  })

  test('error: chain-unavailable once the operator names no programs any more', async () => {
    const { writes, sent } = await createWrites({ hasPrograms: false })
    await expect(writes.mint('batch:1', input)).rejects.toMatchObject({
      code: 'chain-unavailable',
      message: expect.stringContaining('KASSA_SOLANA_PROGRAMS'),
    })
    expect(sent).toEqual([])
  })
})
