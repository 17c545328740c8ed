import { eq } from 'drizzle-orm'
import { createPublicClient, custom, type Hex, toHex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createBroadcast, explainUndue, type SenderOptions } from '#adapters/chains/evm/outbox/broadcast.js'
import { findSigned, type SignedTransaction } from '#adapters/chains/evm/outbox/signed.js'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { chainTransactions } from '#base/db/tables/chainTransactions.js'
import { createTestDatabase } from '../../../helpers/createTestDatabase.js'

const chain = 'base'
let database: OpenDatabase
/** Each test has a sender of its own. */
let sender: Hex
let senderCount = 0
/** The number of transactions of the sender that the chain has. */
let nonces: number[]
let sent: string[]
let warned: object[]
let refusal: { code: number; message: string } | undefined

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())
beforeEach(() => {
  senderCount++
  sender = toHex(senderCount, { size: 20 })
  nonces = [0]
  sent = []
  warned = []
  refusal = undefined
})

const client = createPublicClient({
  transport: custom(
    {
      request: async ({ method, params }: { method: string; params: unknown[] }) => {
        if (method === 'eth_getTransactionCount') {
          expect(params).toEqual([sender, 'latest'])
          // The last count stays.
          return toHex((nonces.length > 1 ? nonces.shift() : nonces[0]) ?? 0)
        }
        expect(method).toBe('eth_sendRawTransaction')
        sent.push(String(params[0]))
        if (refusal) throw refusal
        return '0xaa'
      },
    },
    { retryCount: 0 },
  ),
})
const open = (change: Partial<SenderOptions> = {}) =>
  createBroadcast({
    db: database.db,
    client,
    chain,
    sender,
    log: { info: () => {}, warn: (context) => void warned.push(Object(context)), error: () => {} },
    ...change,
  })

const add = async (nonce: number, change: Partial<SignedTransaction> = {}): Promise<SignedTransaction> => {
  const [row] = await database.db
    .insert(chainTransactions)
    .values({
      key: `${chain}:${sender}:${nonce}`,
      chain,
      sender,
      nonce,
      status: 'signed',
      signedTransaction: toHex(`bytes ${nonce}`),
      txId: `0x${sender.slice(-4)}${nonce}`,
      ...change,
    })
    .returning()
  if (!row) throw new Error('no row')
  return row
}
const old = () => new Date(Date.now() - 61_000)
const succeeded = { status: 'succeeded', blockNumber: 7n, endedAt: new Date(0) } as const
const abandoned = { status: 'reverted', blockNumber: null, revertReason: 'its nonce is used' } as const
const bytesOf = (...nonces: number[]) => nonces.map((nonce) => toHex(`bytes ${nonce}`))

describe('send', () => {
  test('default', async () => {
    await open().send(await add(0))
    expect(sent).toEqual(bytesOf(0))
    expect(warned).toEqual([])
  })

  test.each(['already known', 'AlreadyKnown', 'transaction already imported', 'known transaction: 0xaa'])(
    'behavior: a node that has it already refuses nothing: %s',
    async (message) => {
      refusal = { code: -32000, message }
      await open().send(await add(0))
      expect(warned).toEqual([])
    },
  )

  test('behavior: a refusal is logged, and the receipt decides', async () => {
    refusal = { code: -32000, message: 'nonce too low' }
    const row = await add(0)
    await open().send(row)
    expect(warned).toMatchObject([{ chain, key: row.key, txId: row.txId }])
  })
})

describe('isRefused', () => {
  test('default: until the node takes the transaction', async () => {
    const broadcast = open()
    const row = await add(0)
    refusal = { code: -32000, message: 'txpool is full' }
    await broadcast.send(row)
    expect(broadcast.isRefused(row.txId)).toBe(true)
    refusal = undefined
    await broadcast.send(row)
    expect(broadcast.isRefused(row.txId)).toBe(false)
  })

  test.each(['already known', 'nonce too low: next nonce 5, tx nonce 0'])(
    'behavior: a node that has it, or another one with its nonce, has refused nothing: %s',
    async (message) => {
      refusal = { code: -32000, message }
      const broadcast = open()
      const row = await add(0)
      await broadcast.send(row)
      expect(broadcast.isRefused(row.txId)).toBe(false)
    },
  )

  test('behavior: once the node has no place for more, those behind are not sent', async () => {
    const rows: SignedTransaction[] = []
    for (let nonce = 0; nonce < 50; nonce++) rows.push(await add(nonce))
    refusal = { code: -32000, message: 'txpool is full' }
    const broadcast = open()
    await Promise.all(rows.map(broadcast.send))
    expect(sent).toHaveLength(20)
    expect(rows.every(({ txId }) => broadcast.isRefused(txId))).toBe(true)
    refusal = undefined
    await broadcast.sendMissing()
    expect(sent.slice(20)).toEqual(rows.map(({ signedTransaction }) => signedTransaction))
  })
})

describe('sendMissing', () => {
  test('default: all that the chain lacks, in the order of their nonces', async () => {
    nonces = [1]
    await add(2)
    await add(0)
    await add(1)
    await open().sendMissing()
    expect(sent).toEqual(bytesOf(1, 2))
  })

  test('behavior: only the first is signed again', async () => {
    await add(0)
    await add(1)
    const renewed: number[] = []
    const renew: SenderOptions['renew'] = async (first, refused) => {
      expect(refused).toBeUndefined()
      renewed.push(first.nonce)
      return { ...first, signedTransaction: toHex('dearer') }
    }
    await open({ renew }).sendMissing()
    expect(renewed).toEqual([0])
    expect(sent).toEqual([toHex('dearer'), ...bytesOf(1)])
  })

  test('behavior: after five lasting refusals, the first is signed again with the reason', async () => {
    refusal = { code: -32000, message: 'oversized data' }
    await add(0)
    const reasons: (string | undefined)[] = []
    const renew: SenderOptions['renew'] = async (first, refused) => {
      reasons.push(refused)
      return first
    }
    const broadcast = open({ renew })
    for (let round = 0; round < 6; round++) await broadcast.sendMissing()
    expect(reasons.slice(0, 5)).toEqual(Array(5).fill(undefined))
    expect(reasons[5]).toContain('oversized data')
    refusal = undefined
    await broadcast.sendMissing()
    await broadcast.sendMissing()
    expect(reasons.at(-1)).toBeUndefined()
  })

  test('behavior: one that had ended is opened and sent again', async () => {
    const row = await add(0, succeeded)
    await add(1)
    await open().sendMissing()
    expect(sent).toEqual(bytesOf(0, 1))
    expect(await findSigned(database.db, row.key)).toMatchObject({ status: 'signed', blockNumber: null })
  })

  test('behavior: one that ended while the chain was asked is not opened', async () => {
    // The chain includes it between the two questions.
    nonces = [0, 1]
    const row = await add(0, succeeded)
    await open().sendMissing()
    expect(sent).toEqual([])
    expect(await findSigned(database.db, row.key)).toEqual(row)
  })

  test('behavior: an abandoned one is left out', async () => {
    await add(0, abandoned)
    await add(1)
    await open().sendMissing()
    expect(sent).toEqual(bytesOf(1))
  })
})

describe('sendLost', () => {
  test('default: nothing while a process waits for all that is missing', async () => {
    await add(0)
    await open().sendLost()
    expect(sent).toEqual([])
  })

  test('behavior: everything once one of them is old', async () => {
    await add(0)
    await add(1, { createdAt: old() })
    await open().sendLost()
    expect(sent).toEqual(bytesOf(0, 1))
  })

  test('behavior: everything once the chain has lost one that had ended', async () => {
    await add(0, succeeded)
    await open().sendLost()
    expect(sent).toEqual(bytesOf(0))
  })
})

describe('explainUndue', () => {
  const asked: string[] = []
  const options = () => ({
    chain,
    db: database.db,
    explainUndue: async (key: string) => {
      asked.push(key)
      return 'its payment is lost'
    },
  })
  beforeEach(() => void asked.splice(0))

  test('default: by the first key of the write', async () => {
    const row = await add(0, { key: `${chain}:refund:1#3` })
    expect(await explainUndue(options(), row)).toBe('its payment is lost')
    expect(asked).toEqual(['refund:1'])
    await database.db.delete(chainTransactions).where(eq(chainTransactions.key, row.key))
  })

  test('behavior: one that had ended, or that does nothing, stays due', async () => {
    expect(await explainUndue(options(), await add(0, { endedAt: new Date() }))).toBeUndefined()
    expect(await explainUndue(options(), await add(1, { revertReason: 'no coins' }))).toBeUndefined()
    expect(asked).toEqual([])
  })

  test('behavior: without an explanation everything stays due', async () => {
    expect(await explainUndue({ chain, db: database.db }, await add(0))).toBeUndefined()
  })
})
