import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { KassaError } from '../../src/errors/KassaError.js'
import { type KeptPayment, keepQuote } from '../../src/pay/keepQuote.js'
import type { Locks } from '../../src/pay/payContext.js'
import type { Order } from '../../src/schema/index.js'
import { createPayContext, unpaid, withPayment } from '../helpers/payContext.js'
import { createAttempt } from '../helpers/scriptedNode.js'

const minuteMs = 60_000

/** The order with a quote of ten minutes from now. */
const quoted = (fields: Partial<Order> = {}, amount = '0.042'): Order => ({
  ...unpaid,
  ...fields,
  quote: {
    ...unpaid.quote,
    totalPrice: { amount, currency: 'eth' },
    expiresAt: new Date(Date.now() + 10 * minuteMs).toISOString(),
  },
})

const refused = (status: number, headers: Record<string, string> = {}): Response =>
  Response.json({ type: 'about:blank', title: 'no', status, code: 'unavailable' }, { status, headers })

/** Keeps the quote of an order whose renewals answer with another quote of ten minutes. */
const keep = (locks?: Locks) => {
  const world = createPayContext()
  const { context, requests, service } = world
  context.now = Date.now
  context.locks = locks
  service.onRequest = () => Response.json(quoted())
  world.show(quoted())
  // An observer's reads would hide what the keeper writes.
  const changes: (KassaError<'pay.price-changed'> | undefined)[] = []
  const payment = { isBusy: () => false, onPrice: (change) => void changes.push(change) } as KeptPayment
  const keeper = keepQuote(() => context, payment)
  kept.push(keeper)
  return {
    ...world,
    keeper,
    payment,
    changes,
    countRenewals: () => requests.filter((name) => name === 'refresh').length,
  }
}

const kept: ReturnType<typeof keepQuote>[] = []
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)
const beatMs = 10 * minuteMs - 2_000

beforeEach(() => {
  vi.useFakeTimers({ now: 1_700_000_000_000 })
})

afterEach(() => {
  for (const keeper of kept.splice(0)) keeper.stop()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('when a quote is renewed', () => {
  test('default: 2 s before it ends, and the answer is the order', async () => {
    const { context, countRenewals, events } = keep()
    await pass(beatMs - 1)
    expect(countRenewals()).toBe(0)
    await pass(1)
    expect(countRenewals()).toBe(1)
    expect(events).toMatchObject([{ type: 'quote.refreshed', isPriceChanged: false }])
    const known = context.queryClient.getQueryCache().getAll()[0]?.state.data as Order
    expect(Date.parse(known.quote.expiresAt ?? '')).toBe(Date.now() + 10 * minuteMs)
  })

  test('behavior: six times without the buyer, and again once they do something', async () => {
    const { keeper, countRenewals } = keep()
    for (let times = 0; times < 7; times += 1) await pass(beatMs)
    expect(countRenewals()).toBe(6)
    keeper.wake()
    await pass(1)
    expect(countRenewals()).toBe(7)
  })

  test('behavior: a quote that is about to end is renewed when the buyer is back', async () => {
    const page = Object.assign(new EventTarget(), { visibilityState: 'hidden' })
    vi.stubGlobal('document', page)
    vi.stubGlobal('window', new EventTarget())
    const { countRenewals } = keep()
    await pass(beatMs + 1_000)
    expect(countRenewals()).toBe(0)
    page.visibilityState = 'visible'
    page.dispatchEvent(new Event('visibilitychange'))
    await pass(1_000)
    expect(countRenewals()).toBe(1)
  })

  test('behavior: a new quote has its own time', async () => {
    const { show, countRenewals } = keep()
    await pass(5 * minuteMs)
    show(quoted())
    await pass(5 * minuteMs)
    expect(countRenewals()).toBe(0)
    await pass(5 * minuteMs)
    expect(countRenewals()).toBe(1)
  })

  test('behavior: a time longer than a timer can hold is cut, not taken for none', async () => {
    const { show, countRenewals } = keep()
    const expiresAt = new Date(Date.now() + 2 ** 32).toISOString()
    show({ ...quoted(), quote: { ...quoted().quote, expiresAt } })
    await pass(minuteMs)
    expect(countRenewals()).toBe(0)
  })

  test('behavior: an order without an end of its quote is left alone', async () => {
    const { show, countRenewals } = keep()
    show({ ...quoted(), quote: { ...quoted().quote, expiresAt: undefined } })
    await pass(60 * minuteMs)
    expect(countRenewals()).toBe(0)
  })
})

describe('when it is not', () => {
  test.each([
    ['is quoted', { phase: 'quote' }],
    ['is being paid', { payment: { ...unpaid.payment, status: 'in-progress' } }],
    ['is being delivered', { phase: 'delivery' }],
    ['is completed', { phase: 'completed' }],
  ])('behavior: while the order %s', async (_, fields) => {
    const { show, countRenewals } = keep()
    show(quoted(fields as Partial<Order>))
    await pass(beatMs)
    expect(countRenewals()).toBe(0)
  })

  test('behavior: while a payment is on its way', async () => {
    const { payment, countRenewals } = keep()
    payment.isBusy = () => true
    await pass(beatMs)
    expect(countRenewals()).toBe(0)
  })

  test('behavior: while an attempt is open', async () => {
    const { context, countRenewals } = keep()
    context.attemptStore.put(createAttempt())
    await pass(beatMs)
    expect(countRenewals()).toBe(0)
  })

  test('behavior: while another tab holds the order; the lock is not kept during the request', async () => {
    const names: string[] = []
    let isHeld = true
    const request = async (name: string, options: LockOptions, work: (lock: unknown) => unknown) => {
      names.push(`${name} ${options.ifAvailable}`)
      return work(isHeld ? null : {})
    }
    const { keeper, countRenewals } = keep({ request } as unknown as Locks)
    await pass(beatMs)
    expect(countRenewals()).toBe(0)
    expect(names).toEqual(['kassa.order.order true'])
    isHeld = false
    keeper.wake()
    await pass(1)
    expect(countRenewals()).toBe(1)
  })

  test('behavior: after it was stopped', async () => {
    const { keeper, show, changes, countRenewals } = keep()
    keeper.stop()
    const { length } = changes
    show(quoted({}, '1'))
    await pass(20 * minuteMs)
    expect(countRenewals()).toBe(0)
    expect(changes).toHaveLength(length)
  })

  test('behavior: changes of other orders are none of its business', async () => {
    const { context, changes } = keep()
    const { length } = changes
    context.queryClient.setQueryData(['something', 'else'], 1)
    expect(changes).toHaveLength(length)
  })
})

describe('a renewal that fails', () => {
  test('behavior: is tried again after 0.7 s, and does not count', async () => {
    const { service, countRenewals } = keep()
    let answers = 0
    const renew = service.onRequest
    service.onRequest = (url) => {
      answers += 1
      return answers % 2 ? refused(503) : renew(url)
    }
    for (let times = 0; times < 7; times += 1) {
      await pass(beatMs)
      if (times < 6) expect(countRenewals()).toBe(2 * times + 1)
      await pass(699)
      if (times < 6) expect(countRenewals()).toBe(2 * times + 1)
      await pass(1)
    }
    // Six renewals were answered.
    expect(countRenewals()).toBe(12)
  })

  test('behavior: is tried when the service says', async () => {
    const { service, countRenewals } = keep()
    service.onRequest = () => refused(429, { 'retry-after': '1' })
    await pass(beatMs)
    await pass(990)
    expect(countRenewals()).toBe(1)
    await pass(20)
    expect(countRenewals()).toBe(2)
  })

  test('behavior: is not tried again where that cannot help', async () => {
    const { service, countRenewals } = keep()
    service.onRequest = () => refused(404)
    await pass(beatMs + minuteMs)
    expect(countRenewals()).toBe(1)
  })

  test('behavior: nor after it was stopped', async () => {
    const { keeper, service, countRenewals } = keep()
    let answer = (_: Response): void => undefined
    service.onRequest = () =>
      new Promise((resolve) => {
        answer = resolve
      })
    await pass(beatMs)
    keeper.stop()
    answer(refused(503))
    await pass(minuteMs)
    expect(countRenewals()).toBe(1)
  })

  test('behavior: those who wait for it go on', async () => {
    const { keeper, service } = keep()
    service.onRequest = () => refused(404)
    await pass(beatMs)
    await expect(keeper.rest()).resolves.toBeUndefined()
  })

  test('behavior: those who wait for one that runs wait until it is answered', async () => {
    const { keeper, service } = keep()
    let answer = (_: Response): void => undefined
    service.onRequest = () =>
      new Promise((resolve) => {
        answer = resolve
      })
    await pass(beatMs)
    let isOver = false
    void keeper.rest().then(() => {
      isOver = true
    })
    await pass(100)
    expect(isOver).toBe(false)
    answer(Response.json(quoted()))
    await pass(1)
    expect(isOver).toBe(true)
  })
})

describe('the price', () => {
  const codes = ({ changes }: ReturnType<typeof keep>) => changes.map((change) => change?.context)

  test('behavior: a change is told with both prices, and its end too', () => {
    const world = keep()
    // The first order that is read after the start is what the buyer agrees to.
    world.changes.splice(0)
    world.show(quoted({}, '0.05'))
    world.show(quoted())
    expect(codes(world)).toEqual([{ from: '0.042\u00a0ETH', to: '0.05\u00a0ETH' }, undefined])
  })

  test('behavior: another currency is another price', () => {
    const world = keep()
    world.changes.splice(0)
    const order = quoted()
    world.show({ ...order, quote: { ...order.quote, totalPrice: { amount: '0.042', currency: 'usdc' } } })
    expect(codes(world)).toHaveLength(1)
    expect(codes(world)[0]).toBeDefined()
  })

  test('behavior: a change by a renewal is told, and its event says so', async () => {
    const world = keep()
    world.changes.splice(0)
    world.service.onRequest = () => Response.json(quoted({}, '0.05'))
    await pass(beatMs)
    expect(codes(world)).toEqual([{ from: '0.042\u00a0ETH', to: '0.05\u00a0ETH' }])
    expect(world.events).toMatchObject([
      { from: { amount: '0.042' }, to: { amount: '0.05' }, isPriceChanged: true },
    ])
  })

  test.each([
    ['is no more in its payment phase', { phase: 'delivery' }],
    ['has no price', { quote: { ...unpaid.quote, totalPrice: undefined } }],
  ])('behavior: an order that %s is not compared', (_, fields) => {
    const world = keep()
    world.changes.splice(0)
    world.show({ ...quoted({}, '0.05'), ...(fields as Partial<Order>) })
    expect(world.changes).toEqual([])
  })

  test('behavior: it is not compared while a payment is on its way', () => {
    const world = keep()
    world.payment.isBusy = () => true
    world.changes.splice(0)
    world.show(withPayment({}, quoted({}, '0.05')))
    expect(world.changes).toEqual([])
  })
})
