import { afterAll, beforeAll, expect, test } from 'vitest'
import { findReopened, reopenSigned } from '#adapters/chains/evm/outbox/reopenSigned.js'
import { findSigned, type SignedTransaction } from '#adapters/chains/evm/outbox/signed.js'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { chainTransactions } from '#base/db/tables/chainTransactions.js'
import { createTestDatabase } from '../../../helpers/createTestDatabase.js'

let database: OpenDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

let nonce = 0
const add = async (change: Partial<SignedTransaction> = {}): Promise<SignedTransaction> => {
  const bytes = { signedTransaction: '0x', txId: '0xaa', nonce: nonce++, sender: '0xbb' }
  const row = { ...bytes, key: crypto.randomUUID(), chain: 'base', status: 'succeeded' as const }
  const ended = { blockNumber: 7n, endedAt: new Date(), ...change }
  const [added] = await database.db
    .insert(chainTransactions)
    .values({ ...row, ...ended })
    .returning()
  if (!added) throw new Error('no row')
  return added
}

test('default', async () => {
  const ended = await add()
  const open = { ...ended, status: 'signed', blockNumber: null }
  expect(await reopenSigned(database.db, ended)).toEqual(open)
  expect(await findSigned(database.db, ended.key)).toEqual(open)
  expect(await findReopened(database.db, ended)).toEqual([open])
})

test.each([
  ['its hash', { txId: '0xcc' }],
  ['its end', { status: 'reverted' }],
  ['its block', { blockNumber: 8n }],
] as const)('behavior: a row whose %s has changed since it was read stays', async (_, stale) => {
  const row = await add()
  expect(await reopenSigned(database.db, { ...row, ...stale })).toBeUndefined()
  expect(await findSigned(database.db, row.key)).toEqual(row)
})

test('behavior: a transaction that never ended does not count as reopened', async () => {
  const row = await add({ status: 'signed', blockNumber: null, endedAt: null, sender: '0xdd' })
  expect(await findReopened(database.db, row)).toEqual([])
})
