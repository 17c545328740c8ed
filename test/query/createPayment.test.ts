import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { payError } from '../../src/errors/payError.js'
import { createPayment } from '../../src/query/createPayment.js'
import type { Locks, PaymentParameters, SentAttempt } from '../../src/query/payContext.js'
import { createStepStore } from '../../src/query/stepStore.js'
import { getWire } from '../../src/query/wire.js'
import type { Order } from '../../src/schema/index.js'
import { createPayContext, unpaid, withPayment } from '../helpers/payContext.js'
import { createAttempt, hashOf, transactionOf } from '../helpers/scriptedNode.js'

const attempt = createAttempt()
const unsent = createAttempt({ txId: undefined as never })
const minuteMs = 60_000
const seen = withPayment({ status: 'in-progress' })
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

/** A payment of an order of which the ledger knows some attempts, without a wallet. */
const open = (attempts: readonly SentAttempt[] = [], locks?: Locks) => {
  const world = createPayContext(attempts)
  const { service, context, show } = world
  let order: Order = unpaid
  service.onRequest = () => Response.json(order)
  const parameters: PaymentParameters = { ...context, locks }
  const latest: { parameters?: PaymentParameters } = {}
  const step = createStepStore(() => latest.parameters)
  const statuses: string[] = []
  step.subscribe(() => statuses.push(step.get().status))
  return {
    ...world,
    parameters,
    step,
    statuses,
    latest,
    payment: createPayment(step, latest),
    list: () => context.ledger.list('order'),
    isPolledOften: () => getWire(context.queryClient.getQueryCache().getAll()[0] ?? {}).isPaying,
    /** Shows the order, and answers with it from now on. */
    answer: (next: Order): void => {
      order = next
      show(next)
    },
  }
}

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => vi.useRealTimers())

describe('an attempt that a reload interrupted', () => {
  test('default: is followed into its block, and is over once the service accepts it', async () => {
    const { node, payment, parameters, statuses, list, answer, isPolledOften } = open([attempt])
    node.blocks.push([transactionOf(attempt)])
    const resumed = payment.resume(parameters)
    expect(isPolledOften()).toBe(true)
    await pass(1)
    expect(await resumed).toEqual({ status: 'paid', txId: attempt.txId })
    expect(statuses).toEqual(['broadcast', 'confirming', 'paid'])
    expect([list().length, isPolledOften()]).toEqual([1, true])
    answer(withPayment({ status: 'completed' }))
    await pass(1)
    expect([list().length, isPolledOften()]).toEqual([0, false])
    expect(statuses).toEqual(['broadcast', 'confirming', 'paid'])
  })

  test('behavior: nothing is resumed without one, or twice', async () => {
    const nothing = open()
    expect(await nothing.payment.resume(nothing.parameters)).toEqual({ status: 'idle' })
    expect(nothing.requests).toEqual([])
    const { payment, parameters, node, statuses } = open([attempt])
    void payment.resume(parameters)
    void payment.resume(parameters)
    node.blocks.push([transactionOf(attempt)])
    await pass(1)
    expect(statuses).toEqual(['broadcast', 'confirming', 'paid'])
  })

  test('behavior: a step left over from loading the engine ends', async () => {
    const { payment, parameters, step } = open()
    step.set({ status: 'checking' })
    expect(await payment.resume(parameters)).toEqual({ status: 'idle' })
  })

  test('behavior: the service’s hash stands where the attempt has none', async () => {
    const { payment, parameters, answer, step } = open([unsent])
    void payment.resume(parameters)
    await pass(1)
    expect(step.get().status).toBe('uncertain')
    const received = { amount: '0.042', currency: 'eth', chain: 'base-sepolia', txId: hashOf('f') }
    answer(withPayment({ status: 'in-progress', received }))
    await pass(1)
    expect(step.get()).toEqual({ status: 'paid', txId: hashOf('f') })
    answer(withPayment({ status: 'completed', received }))
    await pass(1)
    expect(parameters.ledger.list('order')).toEqual([])
  })

  test('behavior: one that is found on the chain is followed', async () => {
    const { node, payment, parameters, step, list } = open([unsent])
    void payment.resume(parameters)
    await pass(1)
    node.blocks.push([transactionOf(attempt)])
    await pass(10_000)
    expect(step.get()).toEqual({ status: 'paid', txId: attempt.txId })
    expect(list()[0]?.txId).toBe(attempt.txId)
  })

  test('behavior: what becomes known of it while it is searched is shown', async () => {
    const { node, payment, parameters, step, statuses } = open([unsent])
    void payment.resume(parameters)
    await pass(100)
    node.pending.push(transactionOf(attempt, { hash: hashOf('d'), value: 1n }))
    await pass(2_000)
    expect(step.get()).toMatchObject({
      status: 'uncertain',
      error: { context: { hasOpenTransaction: true } },
    })
    const { length } = statuses
    await pass(20_000)
    expect(statuses).toHaveLength(length)
  })

  test('behavior: one that the service returned is searched no more', async () => {
    const { payment, parameters, step, list, answer } = open([createAttempt({ isDropped: true })])
    void payment.resume(parameters)
    await pass(1)
    expect(step.get().status).toBe('uncertain')
    const received = { amount: '0.01', currency: 'eth', chain: 'base-sepolia', txId: attempt.txId }
    answer(withPayment({ received }))
    expect(await payment.pay(parameters, undefined, { total: undefined, method: undefined })).toBeDefined()
    await pass(1)
    expect(list()).toEqual([])
  })

  test('behavior: one that the service saw and sees no more is searched again', async () => {
    const { node, payment, parameters, step, statuses, answer, list } = open([attempt])
    node.blocks.push([transactionOf(attempt)])
    void payment.resume(parameters)
    await pass(1)
    answer(seen)
    answer(unpaid)
    node.blocks.pop()
    await pass(20)
    expect(statuses.slice(0, 5)).toEqual(['broadcast', 'confirming', 'paid', 'idle', 'broadcast'])
    expect(list()).toHaveLength(1)
    node.blocks.push([transactionOf(attempt)])
    await pass(10_000)
    expect(step.get().status).toBe('paid')
  })

  test('behavior: it is followed on chain alone while the service is away', async () => {
    const { node, service, payment, parameters, step } = open([attempt])
    service.onRequest = () => Promise.reject(new TypeError('fetch failed'))
    node.blocks.push([transactionOf(attempt)])
    void payment.resume(parameters)
    await pass(minuteMs)
    expect(step.get()).toEqual({ status: 'paid', txId: attempt.txId })
  })

  test('behavior: while another tab follows it, this one takes it up after 5 s, and again and again', async () => {
    let isHeld = true
    let asked = 0
    const request = async (_: string, __: LockOptions, work: (lock: unknown) => unknown) => {
      asked += 1
      return work(isHeld ? null : {})
    }
    const { node, payment, parameters, step } = open([attempt], { request } as unknown as Locks)
    node.blocks.push([transactionOf(attempt)])
    expect(await payment.resume(parameters)).toEqual({ status: 'idle' })
    await pass(4_999)
    expect(asked).toBe(1)
    await pass(1)
    expect(asked).toBe(2)
    isHeld = false
    await pass(5_000)
    expect(asked).toBe(3)
    expect(step.get().status).toBe('paid')
  })
})

describe('reset', () => {
  const error = payError('pay.rejected', {})

  test('default: what failed is over', () => {
    const { step, payment } = open()
    step.set({ status: 'failed', error })
    payment.reset()
    expect(step.get()).toEqual({ status: 'idle' })
  })

  test.each([
    { status: 'awaiting-signature' } as const,
    { status: 'broadcast', txId: hashOf('a') } as const,
    { status: 'paid', txId: hashOf('a') } as const,
    { status: 'uncertain', error: payError('pay.dropped', { txId: hashOf('a') }) } as const,
  ])('behavior: what is $status stays', (shown) => {
    const { step, payment } = open()
    step.set(shown as never)
    payment.reset()
    expect(step.get()).toEqual(shown)
  })
})

describe('the price', () => {
  const priced = (amount: string, at = 10 * minuteMs): Order => ({
    ...unpaid,
    quote: {
      ...unpaid.quote,
      totalPrice: { amount, currency: 'eth' },
      expiresAt: new Date(1_000 + at).toISOString(),
    },
  })

  test('default: another price fails the payment before it begins, and the old one again mends it', () => {
    const { payment, parameters, show, step, statuses } = open()
    show(priced('0.01'))
    const stop = payment.keep(() => parameters)
    show(priced('0.02'))
    expect(step.get()).toMatchObject({ status: 'failed', error: { code: 'pay.price-changed' } })
    show(priced('0.02', 11 * minuteMs))
    expect(statuses).toEqual(['failed'])
    show(priced('0.01'))
    expect(statuses).toEqual(['failed', 'idle'])
    stop()
  })

  test('behavior: the buyer agrees by a reset', () => {
    const { payment, parameters, show, step } = open()
    show(priced('0.01'))
    const stop = payment.keep(() => parameters)
    show(priced('0.02'))
    payment.reset()
    expect(step.get().status).toBe('idle')
    show(priced('0.02', 11 * minuteMs))
    expect(step.get().status).toBe('idle')
    stop()
  })

  test('behavior: another failure is not taken away by a price that stayed', () => {
    const { payment, parameters, show, step } = open()
    show(priced('0.01'))
    const stop = payment.keep(() => parameters)
    step.set({ status: 'failed', error: payError('pay.rejected', {}) })
    show(priced('0.01', 11 * minuteMs))
    expect(step.get()).toMatchObject({ error: { code: 'pay.rejected' } })
    stop()
  })

  test('behavior: it is not compared once the outcome of a payment is open', () => {
    const { payment, parameters, show, step } = open()
    show(priced('0.01'))
    const stop = payment.keep(() => parameters)
    step.set({ status: 'uncertain', error: payError('pay.dropped', { txId: hashOf('a') }) })
    show(priced('0.02'))
    expect(step.get().status).toBe('uncertain')
    stop()
  })

  test('behavior: the first of two components may go, and the quote is kept for the other', () => {
    const { payment, parameters, show, step, latest } = open()
    show(priced('0.01'))
    const stops = [1, 2].map(() => payment.keep(() => ({ ...parameters })))
    expect(latest.parameters).toBeDefined()
    stops[0]?.()
    show(priced('0.02'))
    expect(step.get().status).toBe('failed')
    stops[1]?.()
    step.set({ status: 'idle' })
    show(priced('0.03'))
    expect(step.get().status).toBe('idle')
  })
})
