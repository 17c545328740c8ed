import { eq } from 'drizzle-orm'
import { type Hex, keccak256, toHex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { abandonSigned, isAbandoned } from '#adapters/chains/evm/outbox/abandonSigned.js'
import { finishAll, finishSigned } from '#adapters/chains/evm/outbox/finishSigned.js'
import { keepRefusal } from '#adapters/chains/evm/outbox/keepRefusal.js'
import { signAll } from '#adapters/chains/evm/outbox/signAll.js'
import {
  findReverted,
  findSigned,
  hashesOf,
  renewNonce,
  replaceSigned,
  type SignedTransaction,
  signedFrom,
  signNext,
} from '#adapters/chains/evm/outbox/signed.js'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { chainAccounts, chainRefusals, chainTransactions } from '#base/db/tables/chainTransactions.js'
import { createTestDatabase } from '../../../helpers/createTestDatabase.js'

const chain = 'base'
let database: OpenDatabase
/** Each test has a sender of its own. */
let sender: Hex
let senderCount = 0

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())
beforeEach(() => {
  senderCount++
  sender = toHex(senderCount, { size: 20 })
})

/** The bytes that a test signs: its words, so that it can tell them apart. */
const bytes = (words: string): Hex => toHex(words)
const keyOf = (name: string): string => `${chain}:${sender}:${name}`
const sign = async (name: string, chainNonce = 0) => {
  const input = { chain, sender, key: keyOf(name), chainNonce, assertDue: undefined }
  return signNext(database.db, input, async (nonce) => bytes(`${name} ${nonce}`))
}
const signed = async (name: string, chainNonce?: number): Promise<SignedTransaction> => {
  const row = await sign(name, chainNonce)
  if (!('nonce' in row)) throw new Error('it was refused')
  return row
}
const read = (name: string) => findSigned(database.db, keyOf(name))
const readNextNonce = async () => {
  const [row] = await database.db
    .select()
    .from(chainAccounts)
    .where(eq(chainAccounts.id, `${chain}:${sender}`))
  return row?.nextNonce
}
const refuse = (name: string, reason: string, calldata: string | null = null) =>
  keepRefusal(database.db, { chain, sender, key: keyOf(name) }, { reason, calldata })
const end = (row: SignedTransaction, revertReason?: string, txId = row.txId) =>
  finishSigned(database.db, row, { txId, blockNumber: 9n, revertReason })

describe('signNext', () => {
  test('default: signs with the next nonce, and stores the bytes and their hash', async () => {
    const first = await signed('one', 5)
    expect(first).toMatchObject({
      chain,
      sender,
      key: keyOf('one'),
      nonce: 5,
      status: 'signed',
      signedTransaction: bytes('one 5'),
      txId: keccak256(bytes('one 5')),
      otherTxIds: null,
    })
    expect(await read('one')).toEqual(first)
    expect((await signed('two')).nonce).toBe(6)
    expect(await readNextNonce()).toBe(7)
  })

  test('behavior: a chain that is ahead decides the nonce, and one that is behind does not', async () => {
    await signed('one')
    expect((await signed('two', 8)).nonce).toBe(8)
    expect((await signed('three', 3)).nonce).toBe(9)
  })

  test('behavior: the same key is signed once', async () => {
    const first = await signed('one')
    expect(await sign('one', 50)).toEqual(first)
    expect(await readNextNonce()).toBe(1)
  })

  test('behavior: a key that was refused stays refused, and takes no nonce', async () => {
    const refusal = await refuse('one', 'too late')
    expect(await sign('one')).toEqual(refusal)
    expect(await readNextNonce()).toBe(0)
  })

  test('error: a write that is no longer due is not signed', async () => {
    const assertDue = async () => {
      throw new Error('not due')
    }
    const input = { chain, sender, key: keyOf('one'), chainNonce: 0, assertDue }
    await expect(signNext(database.db, input, async () => bytes('one'))).rejects.toThrow('not due')
    expect(await read('one')).toBeUndefined()
    expect(await readNextNonce()).toBeUndefined()
  })
})

describe('signAll', () => {
  const signThem = (names: readonly string[], chainNonce = 0) =>
    signAll(
      database.db,
      { chain, sender, chainNonce },
      names.map((name) => ({ key: keyOf(name), sign: async (nonce) => bytes(`${name} ${nonce}`) })),
    )
  const noncesOf = (rows: Awaited<ReturnType<typeof signThem>>) =>
    rows.map((row) => ('nonce' in row ? row.nonce : row.reason))

  test('default: signs with the next nonces, in the order of the writes', async () => {
    await signed('before', 4)
    const rows = await signThem(['one', 'two', 'three'])
    expect(noncesOf(rows)).toEqual([5, 6, 7])
    expect(rows[1]).toMatchObject({
      key: keyOf('two'),
      status: 'signed',
      signedTransaction: bytes('two 6'),
      txId: keccak256(bytes('two 6')),
    })
    expect(await read('two')).toEqual(rows[1])
    expect(await readNextNonce()).toBe(8)
    expect(noncesOf(await signThem(['four'], 11))).toEqual([11])
  })

  test('behavior: writes that have an outcome keep it, and take no nonce', async () => {
    const first = await signed('one')
    const refusal = await refuse('two', 'too late')
    const rows = await signThem(['zero', 'one', 'two', 'three', 'three'])
    expect([rows[1], rows[2]]).toEqual([first, refusal])
    expect(noncesOf(rows)).toEqual([1, 0, 'too late', 2, 2])
    expect(await readNextNonce()).toBe(3)
    expect(await signThem(['zero', 'one', 'two', 'three', 'three'])).toEqual(rows)
  })

  test('error: if one cannot be signed, none is', async () => {
    const writes = ['one', 'two'].map((name) => ({
      key: keyOf(name),
      sign: async () => {
        if (name === 'two') throw new Error('no key')
        return bytes(name)
      },
    }))
    await expect(signAll(database.db, { chain, sender, chainNonce: 0 }, writes)).rejects.toThrow('no key')
    expect(await read('one')).toBeUndefined()
    expect(await readNextNonce()).toBeUndefined()
  })
})

describe('keepRefusal', () => {
  test('default: the first outcome of a key counts', async () => {
    const refusal = await refuse('one', 'no', '0x12')
    expect(refusal).toMatchObject({ chain, key: keyOf('one'), reason: 'no', calldata: '0x12' })
    expect(await refuse('one', 'another')).toEqual(refusal)
    const isKept = eq(chainRefusals.key, keyOf('one'))
    expect(await database.db.select().from(chainRefusals).where(isKept)).toEqual([refusal])
  })

  test('behavior: a signed transaction counts, and the refusal is not kept', async () => {
    const row = await signed('one')
    expect(await refuse('one', 'no')).toEqual(row)
    const isKept = eq(chainRefusals.key, keyOf('one'))
    expect(await database.db.select().from(chainRefusals).where(isKept)).toEqual([])
  })
})

const ends: [string, (row: SignedTransaction) => Promise<unknown>][] = [
  ['has ended', (row) => end(row)],
  ['was signed again', (row) => replaceSigned(database.db, row, async () => bytes('elsewhere'))],
]

describe('renewNonce', () => {
  const renew = (row: SignedTransaction, chainNonce: number) =>
    renewNonce(database.db, { stale: row, chainNonce }, async (nonce) => bytes(`again ${nonce}`))

  test('default: signs with the next nonce, and forgets the hashes of the old one', async () => {
    const first = await replaceSigned(database.db, await signed('one'), async () => bytes('dearer'))
    await signed('two')
    const renewed = await renew(first, 1)
    expect(renewed).toMatchObject({
      nonce: 2,
      signedTransaction: bytes('again 2'),
      txId: keccak256(bytes('again 2')),
      otherTxIds: null,
      status: 'signed',
    })
    expect(await read('one')).toEqual(renewed)
    expect(await readNextNonce()).toBe(3)
    expect((await read('two'))?.nonce).toBe(1)
  })

  test('behavior: a chain that is ahead decides the nonce', async () => {
    expect((await renew(await signed('one'), 8)).nonce).toBe(8)
    expect(await readNextNonce()).toBe(9)
  })

  test.each(ends)('behavior: one that %s meanwhile stays as it is', async (_, change) => {
    const stale = await signed('one')
    await change(stale)
    const known = await read('one')
    expect(await renew(stale, 8)).toEqual(known)
    expect(await read('one')).toEqual(known)
    expect(await readNextNonce()).toBe(1)
  })
})

describe('replaceSigned', () => {
  const replace = (row: SignedTransaction, failure?: string) =>
    replaceSigned(database.db, row, async () => bytes('dearer'), failure)

  test('default: keeps the nonce, and every hash under which it may land', async () => {
    const first = await signed('one')
    const second = await replace(first)
    expect(second).toMatchObject({
      nonce: first.nonce,
      signedTransaction: bytes('dearer'),
      txId: keccak256(bytes('dearer')),
      otherTxIds: [first.txId],
      revertReason: null,
    })
    const third = await replaceSigned(database.db, second, async () => bytes('dearest'))
    expect(hashesOf(third)).toEqual([third.txId, second.txId, first.txId])
    expect(await read('one')).toEqual(third)
  })

  test('parameters: failure', async () => {
    const replaced = await replace(await signed('one'), 'no coins')
    expect(replaced.revertReason).toBe('no coins')
    expect(await read('one')).toEqual(replaced)
  })

  test.each(ends)('behavior: one that %s meanwhile stays as it is', async (_, change) => {
    const stale = await signed('one')
    await change(stale)
    const known = await read('one')
    expect(await replace(stale)).toEqual(known)
    expect(await read('one')).toEqual(known)
  })

  test('error: a transaction that is not there', async () => {
    const gone = { ...(await signed('one')), key: keyOf('gone') }
    await expect(replace(gone)).rejects.toThrow('no transaction')
  })
})

describe('finishSigned', () => {
  test('default: it succeeded under its last hash, and the others stay known', async () => {
    const first = await signed('one')
    const second = await replaceSigned(database.db, first, async () => bytes('dearer'))
    const ended = await end(second)
    expect(ended).toMatchObject({
      status: 'succeeded',
      blockNumber: 9n,
      revertReason: null,
      txId: second.txId,
      otherTxIds: [first.txId],
      endedAt: expect.any(Date),
    })
    expect(await read('one')).toEqual(ended)
  })

  test('behavior: it landed under an earlier hash', async () => {
    const first = await signed('one')
    const second = await replaceSigned(database.db, first, async () => bytes('dearer'))
    expect(await end(second, undefined, first.txId)).toMatchObject({
      txId: first.txId,
      otherTxIds: [second.txId],
    })
  })

  test('behavior: it reverted, and no other hash is left', async () => {
    const ended = await end(await signed('one'), 'sold out')
    expect(ended).toMatchObject({ status: 'reverted', revertReason: 'sold out', otherTxIds: null })
  })
})

describe('finishAll', () => {
  test('default: each has its own end', async () => {
    const first = await signed('one')
    const second = await replaceSigned(database.db, await signed('two'), async () => bytes('dearer'))
    const third = await signed('three')
    const rows = await database.db.transaction((tx) =>
      finishAll(tx, [
        { signed: third, end: { txId: third.txId, blockNumber: 12n, revertReason: undefined } },
        { signed: first, end: { txId: first.txId, blockNumber: 9n, revertReason: 'sold out' } },
        { signed: second, end: { txId: second.txId, blockNumber: 11n, revertReason: undefined } },
      ]),
    )
    expect(rows).toMatchObject([
      { key: keyOf('three'), status: 'succeeded', blockNumber: 12n, otherTxIds: null, revertReason: null },
      { key: keyOf('one'), status: 'reverted', blockNumber: 9n, otherTxIds: null, revertReason: 'sold out' },
      { key: keyOf('two'), status: 'succeeded', blockNumber: 11n, otherTxIds: hashesOf(second).slice(1) },
    ])
    expect(await Promise.all(['three', 'one', 'two'].map(read))).toEqual(rows)
  })

  test('error: a transaction that is not there', async () => {
    const gone = { ...(await signed('one')), key: keyOf('gone') }
    await expect(end(gone)).rejects.toThrow('no transaction')
  })
})

describe('abandonSigned', () => {
  const abandon = (row: SignedTransaction) => abandonSigned(database.db, row, 'its nonce is used')

  test('default: it is reverted without a block', async () => {
    const row = await signed('one')
    expect(isAbandoned(row)).toBe(false)
    const abandoned = await abandon(row)
    expect(abandoned).toMatchObject({
      status: 'reverted',
      blockNumber: null,
      revertReason: 'its nonce is used',
    })
    expect(await read('one')).toEqual(abandoned)
    expect(isAbandoned(abandoned)).toBe(true)
  })

  test('behavior: one that reverted in a block is not abandoned', async () => {
    expect(isAbandoned(await end(await signed('one'), 'sold out'))).toBe(false)
  })

  test.each(ends)('behavior: one that %s meanwhile stays as it is', async (_, change) => {
    const stale = await signed('one')
    await change(stale)
    const known = await read('one')
    expect(await abandon(stale)).toEqual(known)
    expect(await read('one')).toEqual(known)
  })
})

test('signedFrom: those of one sender on one chain, from a nonce on, in order', async () => {
  const rows = [await signed('one'), await signed('two'), await signed('three')]
  const [, second] = rows
  if (!second) throw new Error('no row')
  await database.db.insert(chainTransactions).values([
    { ...second, key: keyOf('elsewhere'), chain: 'polygon' },
    { ...second, key: keyOf('by another'), sender: '0xff' },
  ])
  expect(await signedFrom(database.db, { chain, sender, nonce: 1 })).toEqual(rows.slice(1))
  expect(await signedFrom(database.db, { chain, sender, nonce: 3 })).toEqual([])
})

test('findReverted: the attempts at one write, newest first', async () => {
  const [first, second, third] = [await signed('one'), await signed('one#2'), await signed('one#3')]
  await signed('one more')
  await end(first, 'sold out')
  await end(second)
  await end(third, 'sold out again')
  await database.db
    .update(chainTransactions)
    .set({ createdAt: new Date(0) })
    .where(eq(chainTransactions.key, first.key))
  const found = await findReverted(database.db, keyOf('one'))
  expect(found.map(({ key }) => key)).toEqual([third.key, first.key])
})
