import { createPublicClient, custom } from 'viem'
import { describe, expect, test } from 'vitest'
import { findNonceUse } from '#adapters/chains/evm/outbox/findNonceUse.js'

const sender = '0x00000000000000000000000000000000000000a1'
const other = '0x00000000000000000000000000000000000000b2'

type Sent = { from: string; nonce: number; hash: string }
type Call = { method: string; params?: readonly unknown[] }

/** A chain of some blocks. Its node serves the state of the newest `stateDepth` blocks. */
const openNode = (blocks: readonly Sent[][], stateDepth = Number.POSITIVE_INFINITY) => {
  const asked: number[] = []
  const head = blocks.length - 1
  const count = (blockNumber: number): number =>
    blocks
      .slice(0, blockNumber + 1)
      .flat()
      .filter(({ from }) => from === sender).length
  const request = async ({ method, params = [] }: Call): Promise<unknown> => {
    const at = Number(params[method === 'eth_getTransactionCount' ? 1 : 0])
    if (method === 'eth_blockNumber') return `0x${head.toString(16)}`
    if (method === 'eth_getBlockByNumber') {
      const transactions = (blocks[at] ?? []).map(({ nonce, ...sent }) => ({
        ...sent,
        nonce: `0x${nonce.toString(16)}`,
        type: '0x0',
        value: '0x0',
        gas: '0x0',
      }))
      return { number: `0x${at.toString(16)}`, transactions }
    }
    asked.push(at)
    if (head - at >= stateDepth) throw Object.assign(new Error('missing trie node'), { code: -32000 })
    return `0x${count(at).toString(16)}`
  }
  const client = createPublicClient({ transport: custom({ request }, { retryCount: 0 }), cacheTime: 0 })
  return { client, asked }
}

/** A chain of `length` blocks, some of which hold a transaction of the sender. */
const chainOf = (length: number, used: readonly number[]): Sent[][] =>
  Array.from({ length }, (_, at) => {
    const nonce = used.indexOf(at)
    return nonce < 0 ? [] : [{ from: sender, nonce, hash: `0x${at}` }]
  })

describe('findNonceUse', () => {
  test.each([1, 2, 3, 7, 8, 15, 30, 38, 39])('default: in block %i', async (at) => {
    const { client } = openNode(chainOf(40, [at]))
    expect(await findNonceUse(client, sender, 0)).toEqual({ hash: `0x${at}`, blockNumber: BigInt(at) })
  })

  test('behavior: of several transactions, the one with the nonce', async () => {
    const { client } = openNode(chainOf(40, [3, 9, 20]))
    expect(await findNonceUse(client, sender, 1)).toEqual({ hash: '0x9', blockNumber: 9n })
  })

  test('behavior: in a block with others, the one by the sender and with the nonce', async () => {
    const block = [
      { from: other, nonce: 1, hash: '0xb1' },
      { from: sender, nonce: 0, hash: '0xa0' },
      { from: sender, nonce: 1, hash: '0xa1' },
    ]
    const { client } = openNode([[], [], block, []])
    expect(await findNonceUse(client, sender, 1)).toEqual({ hash: '0xa1', blockNumber: 2n })
  })

  test('behavior: the state that it reads is recent if the transaction is', async () => {
    const { client, asked } = openNode(chainOf(1000, [997]), 10)
    expect(await findNonceUse(client, sender, 0)).toEqual({ hash: '0x997', blockNumber: 997n })
    expect(Math.min(...asked)).toBeGreaterThan(989)
  })

  test('behavior: undefined if the node does not serve the past state', async () => {
    const { client } = openNode(chainOf(1000, [100]), 10)
    expect(await findNonceUse(client, sender, 0)).toBeUndefined()
  })

  test('error: a node that is away is not a node without the past', async () => {
    const away = { code: -32603, message: 'Internal error' }
    const client = createPublicClient({
      transport: custom({ request: () => Promise.reject(away) }, { retryCount: 0 }),
    })
    await expect(findNonceUse(client, sender, 0)).rejects.toThrow()
  })
})
