import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { payError } from '../../src/errors/payError.js'
import { createPayment } from '../../src/pay/createPayment.js'
import type { Locks, PayContext, PaymentParameters, SentAttempt } from '../../src/pay/payContext.js'
import { payOrder } from '../../src/pay/payOrder.js'
import { createStepStore } from '../../src/pay/stepStore.js'
import { getWire } from '../../src/query/wire.js'
import type { Order } from '../../src/schema/index.js'
import { createPayContext, unpaid, withPayment } from '../helpers/payContext.js'
import { createAttempt, hashOf, transactionOf } from '../helpers/scriptedNode.js'

// What comes before the signature has tests of its own.
vi.mock(import('../../src/pay/payOrder.js'), { spy: true })

const attempt = createAttempt()
const unsent = createAttempt({ txId: undefined as never })
const minuteMs = 60_000
const seen = withPayment({ status: 'in-progress' })
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

/** A payment of an order with stored attempts, without a wallet. */
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
    list: () => context.attemptStore.list('order'),
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
    expect(parameters.attemptStore.list('order')).toEqual([])
  })

  test('behavior: the service may have seen it without a hash', async () => {
    const { payment, parameters, answer, step } = open([unsent])
    void payment.resume(parameters)
    await pass(1)
    answer(seen)
    await pass(1)
    expect(step.get()).toEqual({ status: 'paid', txId: undefined })
  })

  test('error: one that failed is over, and its failure is shown', async () => {
    const { node, payment, parameters, step, list } = open([attempt])
    node.blocks.push([transactionOf(attempt, { isReverted: true })])
    void payment.resume(parameters)
    await pass(10)
    expect(step.get()).toMatchObject({ status: 'failed', error: { code: 'pay.reverted' } })
    expect(list()).toEqual([])
    // It is not looked at again.
    expect(await payment.resume(parameters)).toMatchObject({ status: 'failed' })
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
    vi.mocked(payOrder).mockRestore()
    void payment.pay(parameters, undefined, { total: undefined, method: undefined })
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

describe('a press', () => {
  /** A payment whose steps before the signature the test plays itself. */
  const press = (attempts: readonly SentAttempt[] = []) => {
    const world = open(attempts)
    let play = (_: PayContext): Promise<void> => Promise.resolve()
    const plays: PayContext[] = []
    vi.mocked(payOrder).mockImplementation((context) => {
      plays.push(context)
      return play(context)
    })
    return {
      ...world,
      plays,
      pay: () => world.payment.pay(world.parameters, {}, { total: undefined, method: undefined }),
      onPlay: (next: typeof play): void => {
        play = next
      },
    }
  }

  test('default: checks at once, and others join it', async () => {
    const { pay, plays, statuses, onPlay } = press()
    onPlay(async ({ setStep }) => setStep({ status: 'paid', txId: hashOf('a') }))
    const paid = await Promise.all([pay(), pay()])
    expect(paid).toEqual([1, 2].map(() => ({ status: 'paid', txId: hashOf('a') })))
    expect(statuses).toEqual(['checking', 'paid'])
    expect(plays).toHaveLength(1)
    // What is paid is paid.
    expect(await pay()).toMatchObject({ status: 'paid' })
    expect(plays).toHaveLength(1)
  })

  test('error: what is thrown is the step, and stays it', async () => {
    const { pay, onPlay, step, isPolledOften } = press()
    onPlay(() => Promise.reject(payError('pay.rejected', {})))
    expect(await pay()).toMatchObject({ status: 'failed', error: { code: 'pay.rejected' } })
    await pass(minuteMs)
    expect(step.get().status).toBe('failed')
    expect(isPolledOften()).toBe(false)
  })

  test('error: pay.in-other-tab while another tab holds the order', async () => {
    const request = async (_: string, __: LockOptions, work: (lock: unknown) => unknown) => work(null)
    const { payment, parameters, plays } = { ...press(), ...open([], { request } as unknown as Locks) }
    const step = await payment.pay(parameters, {}, { total: undefined, method: undefined })
    expect(step).toMatchObject({ status: 'failed', error: { code: 'pay.in-other-tab' } })
    expect(plays).toEqual([])
  })

  test('behavior: a press while an old attempt is being looked at waits for what comes of it', async () => {
    const { node, payment, parameters, pay, plays } = press([attempt])
    node.blocks.push([transactionOf(attempt)])
    void payment.resume(parameters)
    const paid = pay()
    await pass(10)
    expect(await paid).toMatchObject({ status: 'paid' })
    expect(plays).toEqual([])
  })

  /** A press to which the wallet gave no answer. */
  const pressUnanswered = async () => {
    const world = press()
    world.onPlay(async ({ attemptStore }) => {
      attemptStore.put(unsent)
      throw payError('pay.uncertain', { attemptedAt: '', hasOpenTransaction: false })
    })
    await world.pay()
    // The search has begun, and looks again in two seconds.
    await pass(10)
    expect(world.step.get().status).toBe('uncertain')
    return { ...world, answer: (error?: unknown) => world.plays[0]?.onLateAnswer(error) }
  }

  test('behavior: a hash that the wallet gives late is followed', async () => {
    const { node, list, step, answer, parameters } = await pressUnanswered()
    const [known] = list()
    if (known) parameters.attemptStore.put({ ...known, txId: attempt.txId })
    node.blocks.push([transactionOf(attempt)])
    answer()
    await pass(10)
    expect(step.get()).toEqual({ status: 'paid', txId: attempt.txId })
  })

  test('behavior: a refusal that the wallet gives late ends what was uncertain', async () => {
    const { parameters, step, node, answer } = await pressUnanswered()
    parameters.attemptStore.clear('order')
    answer(payError('pay.rejected', {}))
    expect(step.get()).toMatchObject({ status: 'failed', error: { code: 'pay.rejected' } })
    const { length } = node.asked
    await pass(minuteMs)
    expect(node.asked.length - length).toBeLessThan(7)
  })

  test('behavior: a late refusal leaves another open attempt uncertain', async () => {
    const { step, answer } = await pressUnanswered()
    answer(payError('pay.rejected', {}))
    expect(step.get().status).toBe('uncertain')
  })

  test('behavior: a late refusal changes nothing that is decided', async () => {
    const { parameters, step, answer } = await pressUnanswered()
    parameters.attemptStore.clear('order')
    step.set({ status: 'paid', txId: hashOf('a') })
    answer(payError('pay.rejected', {}))
    expect(step.get().status).toBe('paid')
  })

  test('behavior: a late answer to what is paid starts nothing', async () => {
    const { step, answer, requests } = await pressUnanswered()
    step.set({ status: 'paid', txId: hashOf('a') })
    const { length } = requests
    answer()
    await pass(10)
    expect(requests).toHaveLength(length)
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
