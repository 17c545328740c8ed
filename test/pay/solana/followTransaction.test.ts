import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { toBase64, writeUnsigned } from '../../../src/chain/solana/transaction.js'
import { noLastBlock } from '../../../src/pay/solana/findPayment.js'
import { followTransaction, type SentSolanaAttempt } from '../../../src/pay/solana/followTransaction.js'
import { openNode } from '../../../src/pay/solana/node.js'
import {
  accountsOf,
  encodeMessage,
  memo,
  orderId,
  payer,
  stranger,
  transferOf,
} from '../../chain/solana/solanaPayable.js'
import { failureOf } from '../../helpers/failureOf.js'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const message = encodeMessage([transferOf('sol', 500n)])
const attempt: SentSolanaAttempt = {
  id: 'attempt',
  orderId,
  family: 'solana',
  payerAddress: payer,
  attemptedAtMs: 0,
  txId: 'signature',
  message: toBase64(message),
  recipient: accountsOf('sol').account,
  fromSlot: '100',
  // The wallet sends itself, and may have put a newer block into the message.
  lastBlockHeight: String(noLastBlock),
}

const context = { slot: 1_000 }
const nothing = { getSignatureStatuses: { context, value: [null] }, getSignaturesForAddress: [] }
const found = {
  getSignatureStatuses: {
    context,
    value: [{ slot: 1_000, err: null, confirmationStatus: 'confirmed' }],
  },
  getTransaction: { transaction: [toBase64(writeUnsigned(message)), 'base64'], meta: { logMessages: [] } },
}

/** Follows the attempt on a node whose answers the test scripts, for answers that a local cluster does not give. */
const follow = (
  answersAt: (look: number) => Record<string, unknown>,
  { finalHeight, sent = attempt }: { finalHeight: number; sent?: SentSolanaAttempt },
) => {
  let looks = 0
  const moved: SentSolanaAttempt[] = []
  const node = openNode('http://node.test', async (_, init) => {
    const { method } = JSON.parse(String(init?.body)) as { method: string }
    if (method === 'getSignatureStatuses') looks += 1
    const answers: Record<string, unknown> = {
      getLatestBlockhash: { context, value: { lastValidBlockHeight: 1_000 } },
      getEpochInfo: { absoluteSlot: 1_000, blockHeight: finalHeight },
      ...answersAt(looks),
    }
    return Response.json({ result: answers[method] })
  })
  const wait = followTransaction(node, sent, {
    onMoved: (each) => void moved.push(each as SentSolanaAttempt),
    onKnown: () => {},
  })
  return { ...wait, moved, countLooks: () => looks }
}

test('error: pay.expired only after two looks in a row, because one node of several may lag', async () => {
  const { promise, countLooks } = follow(() => nothing, { finalHeight: 2_000 })
  const failure = failureOf(promise)
  await vi.advanceTimersByTimeAsync(500)
  expect(countLooks()).toBe(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect((await failure).code).toBe('pay.expired')
  expect(countLooks()).toBe(2)
})

test('behavior: a payment that one look has missed is found by the next', async () => {
  const { promise } = follow((look) => (look === 1 ? nothing : found), { finalHeight: 2_000 })
  const txId = promise.catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(await txId).toBe('signature')
})

test('behavior: a wallet that has sent is at most 150 blocks ahead of the node', async () => {
  // The newest block's transactions are taken in up to 1000.
  const { promise, moved, stop, countLooks } = follow(() => nothing, { finalHeight: 1_300 })
  promise.catch(() => undefined)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(countLooks()).toBeGreaterThan(5)
  expect(moved.map(({ lastBlockHeight }) => lastBlockHeight)).toEqual(['1150'])
  stop()
  const later = failureOf(follow(() => nothing, { finalHeight: 1_301 }).promise)
  await vi.advanceTimersByTimeAsync(3_000)
  expect((await later).code).toBe('pay.expired')
})

test('behavior: what a wallet only signed runs out with its own message, and never later', async () => {
  const sent = { ...attempt, lastBlockHeight: '900', signedTransaction: 'AA==' }
  const { promise, moved } = follow(() => ({ ...nothing, sendTransaction: 'signature' }), {
    finalHeight: 1_051,
    sent,
  })
  const failure = failureOf(promise)
  await vi.advanceTimersByTimeAsync(3_000)
  expect((await failure).code).toBe('pay.expired')
  expect(moved).toEqual([])
})

test('behavior: a node that is away, or answers nonsense, says nothing', async () => {
  const { promise, stop, countLooks } = follow(() => ({ getSignatureStatuses: null }), { finalHeight: 9_999 })
  let isOver = false
  promise.then(
    () => {
      isOver = true
    },
    () => {
      isOver = true
    },
  )
  await vi.advanceTimersByTimeAsync(20_000)
  expect(countLooks()).toBeGreaterThan(5)
  expect(isOver).toBe(false)
  stop()
})

describe('a wallet that answers with a transaction of its own', () => {
  const other = (signer: string) => encodeMessage([memo()], { signers: [signer] })
  const answered = (from: string, confirmationStatus: string) => ({
    ...nothing,
    getSignatureStatuses: { context, value: [{ slot: 1_000, err: null, confirmationStatus }] },
    getTransaction: {
      transaction: [toBase64(writeUnsigned(other(from))), 'base64'],
      meta: { logMessages: [] },
    },
  })

  test('error: pay.uncertain for one of the payer’s, which may lead to the payment at any time', async () => {
    const { promise, moved } = follow((look) => answered(payer, look < 3 ? 'confirmed' : 'finalized'), {
      finalHeight: 9_999,
      sent: { ...attempt, lastBlockHeight: '900' },
    })
    const failure = failureOf(promise)
    await vi.advanceTimersByTimeAsync(10_000)
    expect((await failure).code).toBe('pay.uncertain')
    expect(moved.at(-1)?.lastBlockHeight).toBe(String(noLastBlock))
  })

  test('error: pay.expired for a stranger’s', async () => {
    const { promise } = follow(() => answered(stranger, 'finalized'), { finalHeight: 9_999 })
    const failure = failureOf(promise)
    await vi.advanceTimersByTimeAsync(10_000)
    expect((await failure).code).toBe('pay.expired')
  })
})
