import { createPublicClient, custom, type Hex, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { settleReopened } from '#adapters/chains/evm/outbox/settleReopened.js'
import { findSigned, type SignedTransaction } from '#adapters/chains/evm/outbox/signed.js'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { chainTransactions } from '#base/db/tables/chainTransactions.js'
import { createTestDatabase } from '../../../helpers/createTestDatabase.js'

const chain = 'base'
const txId = toHex(1, { size: 32 })
let database: OpenDatabase
let signedTransaction: Hex
/** Each test has a sender of its own. */
let sender: Hex
let senderCount = 0
let status: 'success' | 'reverted' | undefined
let headNumber: number
let errors: object[]

beforeAll(async () => {
  database = await createTestDatabase()
  const call = { chainId: 8453, to: toHex(0xf1, { size: 20 }), gas: 21_000n, maxFeePerGas: 1n }
  signedTransaction = await privateKeyToAccount(generatePrivateKey()).signTransaction(call)
})
afterAll(() => database.close())
beforeEach(() => {
  senderCount++
  sender = toHex(senderCount, { size: 20 })
  status = 'success'
  headNumber = 11
  errors = []
})

const receipt = () =>
  status && {
    transactionHash: txId,
    blockNumber: toHex(7),
    status: status === 'success' ? '0x1' : '0x0',
    gasUsed: '0x1',
    effectiveGasPrice: '0x1',
    cumulativeGasUsed: '0x1',
    logs: [],
    type: '0x2',
  }
const client = createPublicClient({
  transport: custom(
    {
      request: async ({ method }: { method: string }) => {
        if (method === 'eth_getTransactionReceipt') return receipt() ?? null
        if (method === 'eth_blockNumber') return toHex(headNumber)
        throw { code: -32601, message: `${method} is not available` }
      },
    },
    { retryCount: 0 },
  ),
  cacheTime: 0,
})
const settle = () =>
  settleReopened({
    db: database.db,
    client,
    chain,
    sender,
    confirmations: 5,
    log: { info: () => {}, warn: () => {}, error: (fields: object) => errors.push(fields) },
    explain: () => 'as read again',
  })
const add = async (change: Partial<SignedTransaction> = {}): Promise<string> => {
  const key = `${chain}:${sender}`
  await database.db.insert(chainTransactions).values({
    key,
    chain,
    sender,
    nonce: 0,
    signedTransaction,
    txId,
    status: 'signed',
    endedAt: new Date(0),
    ...change,
  })
  return key
}
const read = (key: string) => findSigned(database.db, key)

describe('settleReopened', () => {
  test('default: one that is final again has ended again', async () => {
    const key = await add()
    await settle()
    expect(await read(key)).toMatchObject({ status: 'succeeded', blockNumber: 7n, revertReason: null })
  })

  test('behavior: one that was given up and landed after all has succeeded', async () => {
    const key = await add({ revertReason: 'its nonce was used by another transaction' })
    await settle()
    expect(await read(key)).toMatchObject({ status: 'succeeded', revertReason: null })
  })

  test('behavior: one that reverted keeps the explanation that was read first', async () => {
    status = 'reverted'
    const key = await add({ revertReason: 'sold out' })
    await settle()
    expect(await read(key)).toMatchObject({ status: 'reverted', revertReason: 'sold out' })
    expect(errors).toEqual([])
  })

  test('behavior: the log tells the operator of one that had succeeded, and now reverts', async () => {
    status = 'reverted'
    const key = await add()
    await settle()
    expect(await read(key)).toMatchObject({ status: 'reverted' })
    expect(errors).toMatchObject([{ chain, key, txId }])
  })

  test.each([
    [10, 'is not final'],
    [7, 'is in the last block'],
  ])('behavior: at block %i, one that %s stays open', async (head) => {
    headNumber = head
    const key = await add()
    await settle()
    expect(await read(key)).toMatchObject({ status: 'signed', blockNumber: null })
  })

  test('behavior: one that the node does not show stays open', async () => {
    status = undefined
    const key = await add()
    await settle()
    expect(await read(key)).toMatchObject({ status: 'signed' })
  })
})
