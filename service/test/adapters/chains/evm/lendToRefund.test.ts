import type { PublicClient } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Lender, lendToRefund } from '#adapters/chains/evm/payments/lendToRefund.js'
import type { WriteResult } from '#base/ports/write.js'

const router = '0x00000000000000000000000000000000000000aa'
const refused: WriteResult = { status: 'failed', reason: 'paused' }
const lent: WriteResult = { status: 'succeeded', txId: '0x1' }
const loan = { token: undefined, units: 5n }
/** The outcomes of the loans by their keys, as the outbox keeps them. A new one succeeds. */
let outcomes: Map<string, WriteResult>
let sent: string[]
let held: bigint
let treasury: bigint

beforeEach(() => {
  outcomes = new Map()
  sent = []
  held = 0n
  treasury = 100n
})

const lender: Lender = {
  client: { getBalance: async () => treasury } as unknown as PublicClient,
  outbox: {
    send: async (key, makeCall) => {
      const known = outcomes.get(key)
      if (known) return known
      const call = await makeCall()
      if ('status' in call) return call
      expect(call).toMatchObject({ to: router, value: 5n })
      sent.push(key)
      outcomes.set(key, lent)
      return lent
    },
    keepRefusal: async (key, refusal) => {
      outcomes.set(key, refusal)
      return refusal
    },
    recover: async () => {},
    recoverLost: async () => {},
  },
  treasury: router,
  contracts: { router, depositFactory: router },
  getHeld: async () => held,
}

describe('a loan of the treasury', () => {
  test('default: is sent under a key of its own', async () => {
    expect(await lendToRefund(lender, 'refund:order:0', loan)).toEqual(lent)
    expect(sent).toEqual(['loan:refund:order:0'])
  })

  test('behavior: the next attempt at a refund lends nothing, though the node does not show the loan yet', async () => {
    await lendToRefund(lender, 'refund:order:0', loan)
    expect(await lendToRefund(lender, 'refund:order:0#2', loan)).toEqual(lent)
    expect(sent).toHaveLength(1)
  })

  test('behavior: a loan that was given up and landed after all is not sent again', async () => {
    outcomes.set('loan:refund:order:0', refused)
    held = 5n
    expect(await lendToRefund(lender, 'refund:order:0#2', loan)).toBeUndefined()
    expect(sent).toEqual([])
  })

  test('behavior: a loan that failed is sent again with the next attempt at the refund, and not before', async () => {
    outcomes.set('loan:refund:order:0', refused)
    expect(await lendToRefund(lender, 'refund:order:0', loan)).toEqual(refused)
    expect(await lendToRefund(lender, 'refund:order:0#2', loan)).toEqual(lent)
    expect(sent).toEqual(['loan:refund:order:0#2'])
  })

  test('error: a treasury that holds too little, which every caller is told', async () => {
    treasury = 4n
    const reason = 'the treasury holds 4 of the 5 base units to refund'
    expect(await lendToRefund(lender, 'refund:order:0', loan)).toMatchObject({ status: 'failed', reason })
    treasury = 100n
    expect(await lendToRefund(lender, 'refund:order:0', loan)).toMatchObject({ reason })
    expect(sent).toEqual([])
  })
})
