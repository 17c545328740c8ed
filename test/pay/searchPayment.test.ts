import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Finding } from '../../src/pay/family.js'
import type { Locks } from '../../src/pay/payContext.js'
import { searchPayment } from '../../src/pay/searchPayment.js'
import { watchUncertain } from '../../src/pay/watchUncertain.js'
import { withOrderLock } from '../../src/pay/withOrderLock.js'
import { createPayContext, unpaid, withPayment } from '../helpers/payContext.js'
import { createAttempt, createScriptedNode, hashOf, refuse, transactionOf } from '../helpers/scriptedNode.js'

const unsent = createAttempt({ txId: undefined as never, nonce: undefined })
const sent = transactionOf(createAttempt())

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('searchPayment', () => {
  /** Searches an attempt without a hash, on a clock that the test moves. */
  const search = (options: Parameters<typeof searchPayment>[2] = {}) => {
    vi.useFakeTimers()
    const node = createScriptedNode()
    const looks: number[] = []
    node.script.onRequest = (method) => {
      if (method === 'eth_getLogs') looks.push(Date.now())
      return undefined
    }
    const opened: boolean[] = []
    const startedAtMs = Date.now()
    const onLook = ({ hasOpenTransaction }: Finding): void => void opened.push(hasOpenTransaction)
    const { promise, stop } = searchPayment({ config: node.config, now: Date.now }, unsent, {
      onLook,
      ...options,
    })
    let found: string | undefined
    void promise.then((txId) => {
      found = txId
    })
    return { node, opened, stop, getFound: () => found, looks: () => looks.map((at) => at - startedAtMs) }
  }
  const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

  test('default: at once, then after 2 s, 3 s, 4.5 s and so on, up to every minute', async () => {
    const { looks, stop } = search()
    await pass(250_000)
    const pauses = looks().map((at, index, all) => at - (all[index - 1] ?? 0))
    expect(pauses.slice(0, 5)).toEqual([0, 2_000, 3_000, 4_500, 6_750])
    expect(pauses.slice(-2)).toEqual([51_257, 60_000].map((one) => expect.closeTo(one, -2)))
    stop()
  })

  test('behavior: what it finds ends it', async () => {
    const { node, getFound, looks } = search()
    await pass(100)
    node.blocks.push([sent])
    await pass(60_000)
    expect(getFound()).toBe(sent.hash)
    expect(looks()).toHaveLength(2)
  })

  test('behavior: it begins after the delay', async () => {
    const { looks, stop } = search({ delayMs: 5_000 })
    await pass(4_999)
    expect(looks()).toEqual([])
    await pass(1)
    expect(looks()).toEqual([5_000])
    stop()
  })

  test('behavior: each look says whether anything of the payer waits', async () => {
    const { node, opened, stop } = search()
    await pass(100)
    node.pending.push({ ...sent, hash: hashOf('b'), value: 9n, nonce: 0 })
    await pass(2_000)
    expect(opened).toEqual([false, true])
    stop()
  })

  test('behavior: a node that is away is asked again, and tells nothing', async () => {
    const { node, opened, getFound } = search()
    node.script.onRequest = (method) => refuse(method)
    await pass(3_000)
    const { length } = opened
    node.blocks.push([sent])
    node.script.onRequest = undefined
    await pass(60_000)
    expect(getFound()).toBe(sent.hash)
    expect(opened).toHaveLength(length)
  })

  test('behavior: not while the page is hidden', async () => {
    vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'hidden' }))
    vi.stubGlobal('window', new EventTarget())
    const { looks, stop } = search()
    await pass(60_000)
    expect(looks()).toEqual([])
    stop()
  })

  test('behavior: a stopped one finds nothing and tells nothing, also when the node was being asked', async () => {
    const { node, opened, getFound, stop } = search()
    await pass(100)
    let answer = (_: undefined): void => undefined
    node.script.onRequest = (method) =>
      method === 'eth_getLogs'
        ? new Promise((resolve) => {
            answer = resolve
          })
        : undefined
    await pass(2_000)
    stop()
    node.blocks.push([sent])
    answer(undefined)
    await pass(60_000)
    expect(getFound()).toBeUndefined()
    expect(opened).toHaveLength(1)
  })
})

describe('watchUncertain', () => {
  const other = createAttempt({ id: 'second', txId: undefined as never, valueWei: '6', attemptedAtMs: 5 })

  /** Watches two attempts without a hash. */
  const watch = (attempts = [unsent, other], delayMs = 0) => {
    vi.useFakeTimers()
    const world = createPayContext(attempts)
    const looks: { code: string; context: unknown }[] = []
    let found = 0
    const listener = {
      onLook: ({ code, context }: { code: string; context: unknown }) => void looks.push({ code, context }),
      onOver: () => undefined,
      onFound: () => {
        found += 1
      },
    }
    const stop = watchUncertain(world.context, listener, delayMs)
    return {
      ...world,
      looks,
      stop,
      getFound: () => found,
      list: () => world.context.attemptStore.list('order'),
    }
  }
  const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

  test('default: tells of the newest attempt, and once when either is found', async () => {
    const { node, looks, getFound, list } = watch()
    await pass(100)
    expect(looks).toEqual([
      {
        code: 'pay.uncertain',
        context: { attemptedAt: '1970-01-01T00:00:00.005Z', hasOpenTransaction: false },
      },
    ])
    node.blocks.push([sent])
    await pass(60_000)
    expect(getFound()).toBe(1)
    expect(list().map(({ txId }) => txId)).toEqual([sent.hash, undefined])
  })

  test('behavior: an attempt that was dropped and is found again is followed', async () => {
    const dropped = createAttempt({ isDropped: true })
    const { node, list, getFound } = watch([dropped])
    node.blocks.push([sent])
    await pass(60_000)
    expect(getFound()).toBe(1)
    expect(list()[0]?.isDropped).toBeUndefined()
  })

  test('behavior: a payment that the service has seen is found too', async () => {
    const { show, getFound } = watch()
    show(withPayment({ status: 'in-progress' }))
    await pass(1)
    expect(getFound()).toBe(1)
    show(unpaid)
    show(withPayment({ status: 'in-progress' }))
    await pass(1)
    expect(getFound()).toBe(1)
  })

  test('behavior: an answer that is stored already is found after the delay', async () => {
    const { getFound } = watch([createAttempt()], 3_000)
    await pass(2_999)
    expect(getFound()).toBe(0)
    await pass(1)
    expect(getFound()).toBe(1)
  })

  test('behavior: what the service has seen waits for the delay as well', async () => {
    const { show, getFound } = watch([unsent], 3_000)
    show(withPayment({ status: 'in-progress' }))
    await pass(2_999)
    expect(getFound()).toBe(0)
    await pass(1)
    expect(getFound()).toBe(1)
  })

  test('behavior: a stopped one tells nothing', async () => {
    const { node, show, looks, stop, getFound } = watch()
    await pass(100)
    stop()
    node.blocks.push([sent])
    show(withPayment({ status: 'in-progress' }))
    await pass(60_000)
    expect(getFound()).toBe(0)
    expect(looks).toHaveLength(1)
  })
})

describe('withOrderLock', () => {
  const work = () => Promise.resolve('done')
  const unused = (): void => expect.unreachable()
  const locksThat = (request: (name: string, options: LockOptions, run: unknown) => unknown) =>
    ({ request }) as unknown as Locks

  test('default: the work runs under the order’s own lock', async () => {
    const asked: unknown[] = []
    const locks = locksThat((name, options, run) => {
      asked.push(name, options)
      return (run as (lock: object) => unknown)({})
    })
    expect(await withOrderLock({ locks, orderId: 'one' }, work, unused)).toBe('done')
    expect(asked).toEqual(['kassa.order.one', { ifAvailable: true }])
  })

  test('behavior: without locks it runs', async () => {
    expect(await withOrderLock({ orderId: 'one' }, work, unused)).toBe('done')
  })

  test('behavior: a lock that another tab holds keeps it from running', async () => {
    let busy = 0
    const locks = locksThat((_, __, run) => (run as (lock: null) => unknown)(null))
    await withOrderLock({ locks, orderId: 'one' }, unused as never, () => {
      busy += 1
    })
    expect(busy).toBe(1)
  })

  test('behavior: locks that are forbidden do not keep it from running', async () => {
    const locks = locksThat(() => Promise.reject(new DOMException('no', 'SecurityError')))
    expect(await withOrderLock({ locks, orderId: 'one' }, work, unused)).toBe('done')
  })

  test('error: what the work throws is thrown, and the work does not run again', async () => {
    let runs = 0
    const fail = () => {
      runs += 1
      return Promise.reject(new Error('no'))
    }
    const locks = locksThat((_, __, run) => (run as (lock: object) => unknown)({}))
    await expect(withOrderLock({ locks, orderId: 'one' }, fail, unused)).rejects.toThrow('no')
    expect(runs).toBe(1)
  })
})
