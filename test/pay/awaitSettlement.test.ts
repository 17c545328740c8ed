import { setTimeout as sleep } from 'node:timers/promises'
import type { Hash } from 'viem'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { awaitSettlement } from '../../src/pay/awaitSettlement.js'
import type { SentEvmAttempt } from '../../src/pay/evm/followTransaction.js'
import { createPayContext, unpaid, withPayment } from '../helpers/payContext.js'
import { createAttempt, hashOf, refuse, transactionOf } from '../helpers/scriptedNode.js'

const attempt = createAttempt()
const earlier = createAttempt({ id: 'earlier', txId: hashOf('e') })
const minuteMs = 60_000
const seen = withPayment({ status: 'in-progress' })

/** Waits for the settlement of an attempt that is in a block. */
const settle = (sent: SentEvmAttempt = attempt) => {
  const world = createPayContext([earlier, sent])
  world.node.blocks.push([transactionOf(sent)])
  const ended = awaitSettlement(world.context, sent.txId)
  let outcome: string | undefined
  void ended.then((settlement) => {
    outcome = settlement
  })
  const asked = () => world.node.asked.length
  return {
    ...world,
    ended,
    getOutcome: () => outcome,
    list: () => world.context.attemptStore.list('order'),
    look: async (times = 3): Promise<void> => {
      const until = asked() + times
      while (asked() < until && outcome === undefined) await sleep(1)
      await sleep(3)
    },
  }
}

const running: ReturnType<typeof settle>[] = []
const start = (...given: Parameters<typeof settle>) => {
  const settling = settle(...given)
  running.push(settling)
  return settling
}

afterEach(() => {
  for (const { show } of running.splice(0)) show(withPayment({ status: 'completed' }))
  vi.unstubAllGlobals()
})

describe('what the service says', () => {
  test.each([
    ['its payment is completed', withPayment({ status: 'completed' })],
    ['it is being delivered', { ...seen, phase: 'delivery' as const }],
    ['it is completed', { ...seen, phase: 'completed' as const }],
  ])('default: the payment stands once %s, and every attempt is over', async (_, order) => {
    const { show, ended, list } = start()
    show(seen)
    show(order)
    expect(await ended).toBe('stands')
    expect(list()).toEqual([])
  })

  test('behavior: one it has returned is forgotten, an earlier one is not', async () => {
    const { show, ended, list } = start()
    show(
      withPayment({ received: { amount: '1', currency: 'eth', chain: 'base-sepolia', txId: attempt.txId } }),
    )
    expect(await ended).toBe('returned')
    expect(list()).toEqual([earlier])
  })

  test('behavior: one it saw and sees no more is undone, and stays an attempt', async () => {
    const { show, ended, list } = start()
    show(seen)
    show(unpaid)
    expect(await ended).toBe('undone')
    expect(list()).toEqual([earlier, attempt])
  })

  test('behavior: nothing is decided before it has seen the payment, nor while it confirms', async () => {
    const settling = start()
    settling.show({ ...unpaid })
    settling.show(seen)
    settling.show({ ...seen })
    await settling.look()
    expect(settling.getOutcome()).toBeUndefined()
  })

  test('behavior: the order is read at once', async () => {
    const { requests } = start()
    await sleep(0)
    // The stream of the order is asked for too.
    expect(requests.filter((asked) => asked !== 'events')).toEqual(['order'])
  })
})

describe('what the chain says', () => {
  test('behavior: a payment that is in no block any more is undone', async () => {
    const { node, ended, list } = start()
    node.blocks.pop()
    expect(await ended).toBe('undone')
    expect(list()).toEqual([earlier, attempt])
  })

  test('behavior: one miss is not enough, nor are two with a hit between them', async () => {
    const settling = start()
    let looks = 0
    settling.node.script.onRequest = () => {
      looks += 1
      settling.node.blocks[1] = looks % 2 ? [] : [transactionOf(attempt)]
      return undefined
    }
    while (looks < 6) await sleep(1)
    expect(settling.getOutcome()).toBeUndefined()
  })

  test('behavior: a node that is away says nothing', async () => {
    const settling = start()
    settling.node.script.onRequest = (method) => refuse(method)
    await settling.look(4)
    expect(settling.getOutcome()).toBeUndefined()
  })

  test('behavior: one that the service takes no notice of for ten minutes is not followed any longer', async () => {
    const { clock, look, ended, list, getOutcome } = start()
    clock.nowMs += 10 * minuteMs
    await look()
    expect(getOutcome()).toBeUndefined()
    clock.nowMs += 1
    expect(await ended).toBe('ignored')
    expect(list()).toEqual([earlier, { ...attempt, isDropped: true }])
  })

  test('behavior: one that the service has seen may take as long as it takes', async () => {
    const { clock, show, look, getOutcome } = start()
    show(seen)
    clock.nowMs += 60 * minuteMs
    await look()
    expect(getOutcome()).toBeUndefined()
  })

  test.each([
    ['a chain that the app does not have', createAttempt({ chainId: 10 })],
    ['a bundle of calls without a hash', createAttempt({ txId: 'bundle' as Hash })],
  ])('behavior: the node is not asked about %s', async (_, sent) => {
    const { node, getOutcome } = start(sent)
    await sleep(20)
    expect(node.asked).toEqual([])
    expect(getOutcome()).toBeUndefined()
  })

  test('behavior: nor about a payment that is no attempt of this page', async () => {
    const { context, node } = createPayContext()
    void awaitSettlement(context, attempt.txId)
    await sleep(20)
    expect(node.asked).toEqual([])
  })

  test('behavior: it does not look while the page is hidden', async () => {
    vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'hidden' }))
    vi.stubGlobal('window', new EventTarget())
    const { node } = start()
    await sleep(30)
    expect(node.asked).toEqual([])
  })

  test('behavior: it does not look any more once the service has decided', async () => {
    const { node, look, show, ended } = start()
    await look(1)
    show(withPayment({ status: 'completed' }))
    await ended
    const { length } = node.asked
    await sleep(30)
    expect(node.asked.length - length).toBeLessThanOrEqual(1)
  })
})
