import { createPublicClient, custom, type Hex, numberToHex, toHex } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { findReceiptTogether } from '#adapters/chains/evm/outbox/findReceipts.js'
import type { SignedTransaction } from '#adapters/chains/evm/outbox/signed.js'

const sender = toHex(0xaa, { size: 20 })
const other = toHex(0xbb, { size: 20 })
const hashOf = (nonce: number, of: Hex = sender): Hex => toHex(`${of.slice(-2)}:${nonce}`, { size: 32 })

/** The blocks of the chain: the hash of each, and the transactions in it. */
let blocks: Map<number, { hash: Hex; txIds: Hex[] }>
let counts: Record<string, number>
let asked: string[]
let askedBy: string[]
let isFailing: (txId: unknown) => boolean
beforeEach(() => {
  blocks = new Map()
  counts = {}
  asked = []
  askedBy = []
  isFailing = () => false
})

const toReceipt = (txId: unknown) => {
  const found = [...blocks].find(([, { txIds }]) => txIds.includes(txId as Hex))
  if (!found) return null
  const [number, { hash }] = found
  return { transactionHash: txId, blockNumber: numberToHex(number), blockHash: hash, status: '0x1', logs: [] }
}
const open = (name = 'client') =>
  createPublicClient({
    cacheTime: 0,
    transport: custom(
      {
        request: async ({ method, params }: { method: string; params: unknown[] }) => {
          asked.push(method)
          askedBy.push(name)
          if (method === 'eth_getTransactionCount')
            return numberToHex(counts[String(params[0]).toLowerCase()] ?? 0)
          if (method === 'eth_getTransactionReceipt') {
            if (isFailing(params[0])) throw { code: -32603, message: 'internal error' }
            return toReceipt(params[0])
          }
          if (method === 'eth_getBlockByNumber') {
            const block = blocks.get(Number(params[0]))
            return block ? { number: params[0], hash: block.hash, timestamp: '0x1', transactions: [] } : null
          }
          throw { code: -32601, message: `${method} is not available` }
        },
      },
      { retryCount: 0 },
    ),
  })
const toSigned = (nonce: number, of: Hex = sender) =>
  ({
    chain: 'base',
    key: `base:${of}:${nonce}`,
    sender: of,
    nonce,
    txId: hashOf(nonce, of),
    otherTxIds: null,
  }) as SignedTransaction
const mine = (number: number, txIds: Hex[], hash = toHex(`block ${number}`, { size: 32 })) =>
  blocks.set(number, { hash, txIds })

test('default: of several of one sender, only those are asked for that have landed', async () => {
  const client = open()
  mine(5, [hashOf(0), hashOf(1)])
  counts[sender] = 2
  const found = await Promise.all(
    [0, 1, 2, 3, 4].map((nonce) => findReceiptTogether({ client }, toSigned(nonce), undefined)),
  )
  expect(found.map((receipt) => receipt?.blockNumber)).toEqual([5n, 5n, undefined, undefined, undefined])
  expect(asked.sort()).toEqual([
    'eth_getTransactionCount',
    'eth_getTransactionReceipt',
    'eth_getTransactionReceipt',
  ])
})

test('behavior: one that is alone is asked for at once', async () => {
  const client = open()
  mine(5, [hashOf(3), hashOf(3, other)])
  const found = await Promise.all([
    findReceiptTogether({ client }, toSigned(3), undefined),
    findReceiptTogether({ client }, toSigned(3, other), undefined),
  ])
  expect(found.map((receipt) => receipt?.blockNumber)).toEqual([5n, 5n])
  expect(asked).toEqual(['eth_getTransactionReceipt', 'eth_getTransactionReceipt'])
})

test('behavior: the receipts of a block that is still there are known', async () => {
  const client = open()
  mine(5, [hashOf(0), hashOf(1), hashOf(2)])
  counts[sender] = 3
  const find = (known: Awaited<ReturnType<typeof findReceiptTogether>>[]) =>
    Promise.all([0, 1, 2].map((nonce) => findReceiptTogether({ client }, toSigned(nonce), known[nonce])))
  const first = await find([])
  asked.length = 0
  expect(await find(first)).toEqual(first)
  expect(asked).toEqual(['eth_getBlockByNumber'])
})

test.each([
  ['is another one now', toHex('another', { size: 32 })],
  ['is gone', undefined],
])('behavior: the receipts of a block that %s are looked for again', async (_, hash) => {
  const client = open()
  mine(5, [hashOf(0), hashOf(1)])
  counts[sender] = 2
  const find = (known: Awaited<ReturnType<typeof findReceiptTogether>>[]) =>
    Promise.all([0, 1].map((nonce) => findReceiptTogether({ client }, toSigned(nonce), known[nonce])))
  const first = await find([])
  if (hash) mine(5, [], hash)
  else blocks.delete(5)
  mine(6, [hashOf(0)])
  const again = await find(first)
  expect(again.map((receipt) => receipt?.blockNumber)).toEqual([6n, undefined])
})

test('error: a receipt that the node does not tell fails alone', async () => {
  const client = open()
  mine(5, [hashOf(0), hashOf(1), hashOf(2)])
  counts[sender] = 3
  isFailing = (txId) => txId === hashOf(1)
  const settled = await Promise.allSettled(
    [0, 1, 2].map((nonce) => findReceiptTogether({ client }, toSigned(nonce), undefined)),
  )
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('behavior: several are asked for by the client that sends them in one request', async () => {
  const [client, batching] = [open(), open('batching')]
  mine(5, [hashOf(0), hashOf(1)])
  counts[sender] = 2
  await findReceiptTogether({ client, batching }, toSigned(0), undefined)
  expect(askedBy).toEqual(['client'])
  await Promise.all(
    [0, 1].map((nonce) => findReceiptTogether({ client, batching }, toSigned(nonce), undefined)),
  )
  expect(askedBy).toEqual(['client', 'batching', 'batching', 'batching'])
})
