import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import type { EvmPaymentAttempt } from '../../src/chain/index.js'
import { isKassaError } from '../../src/errors/KassaError.js'
import { confirmPayment } from '../../src/pay/confirmPayment.js'
import type { SentAttempt } from '../../src/pay/payContext.js'
import { createPayContext, unpaid, withPayment } from '../helpers/payContext.js'
import { createAttempt, hashOf, payer, stranger, transactionOf } from '../helpers/scriptedNode.js'

const attempt = createAttempt()
const other = hashOf('b')
const minuteMs = 60_000

/** Confirms an attempt until the test ends. */
const start = (sent: SentAttempt = attempt) => {
  const world = createPayContext([sent])
  const ended = confirmPayment(world.context, sent).then(
    () => undefined,
    (error: unknown) => (isKassaError(error) ? error.code : error),
  )
  running.push(() => world.show(withPayment({ status: 'in-progress' })))
  return {
    ...world,
    ended,
    statuses: () => world.steps.map((step) => ('txId' in step ? [step.status, step.txId] : [step.status])),
    list: () => world.context.attemptStore.list('order') as EvmPaymentAttempt[],
    until: async (isMet: () => boolean): Promise<void> => {
      while (!isMet()) await sleep(1)
      await sleep(3)
    },
  }
}

const running: (() => void)[] = []

afterEach(() => {
  for (const end of running.splice(0)) end()
})

describe('the steps', () => {
  test('default: sent, known to a node, in a block', async () => {
    const { node, until, statuses, steps, ended } = start()
    expect(statuses()).toEqual([['broadcast', attempt.txId]])
    node.pending.push(transactionOf(attempt))
    await until(() => steps.length > 1)
    const looks = node.asked.length
    await until(() => node.asked.length > looks + 6)
    node.blocks.push(node.pending.splice(0))
    expect(await ended).toBeUndefined()
    expect(statuses()).toEqual([
      ['broadcast', attempt.txId],
      ['confirming', attempt.txId],
      ['paid', attempt.txId],
    ])
  })

  test('behavior: once the service has been told it is confirming, and its answer is the order', async () => {
    const world = createPayContext([attempt])
    world.service.onRequest = () => Response.json({ ...unpaid, locale: 'de-DE' })
    void confirmPayment(world.context, attempt)
    while (world.steps.length < 2) await sleep(1)
    expect(world.requests[0]).toBe('payment')
    expect(world.steps.map(({ status }) => status)).toEqual(['broadcast', 'confirming'])
    const [query] = world.context.queryClient.getQueryCache().getAll()
    expect(query?.state.data).toMatchObject({ locale: 'de-DE' })
    world.show(withPayment({ status: 'in-progress' }))
  })

  test('behavior: a service that is away, and no node that knows it, leave it as sent', async () => {
    const world = createPayContext([attempt])
    world.service.onRequest = () => Promise.reject(new TypeError('fetch failed'))
    void confirmPayment(world.context, attempt)
    await sleep(20)
    expect(world.steps).toMatchObject([{ status: 'broadcast' }])
    world.show(withPayment({ status: 'in-progress' }))
  })

  test('behavior: a bundle’s own identifier is not reported; the wallet knows it', async () => {
    const { requests, until, steps, statuses } = start(createAttempt({ txId: 'bundle', callsId: 'bundle' }))
    await until(() => steps.length > 1)
    expect(statuses()).toEqual([
      ['broadcast', 'bundle'],
      ['confirming', 'bundle'],
    ])
    expect(requests).not.toContain('payment')
  })

  test('behavior: what the service has seen is paid, by the hash it names', async () => {
    const { show, ended, statuses } = start()
    const received = { amount: '0.042', currency: 'eth', chain: 'base-sepolia', txId: other }
    show(withPayment({ status: 'in-progress', received }))
    await ended
    expect(statuses().slice(-2)).toEqual([
      ['confirming', attempt.txId],
      ['paid', other],
    ])
  })

  test('behavior: without a hash of the service it is the one that was sent', async () => {
    const { show, ended, statuses } = start()
    show(withPayment({ status: 'in-progress' }))
    await ended
    expect(statuses().at(-1)).toEqual(['paid', attempt.txId])
  })
})

describe('a payment that moves', () => {
  test('behavior: a speed-up is stored, told, and followed by its new hash', async () => {
    const { node, until, events, list, statuses, ended } = start()
    node.pending.push(transactionOf(attempt, { hash: other }))
    await until(() => events.length > 0)
    expect(events).toEqual([
      { type: 'payment.repriced', orderId: 'order', txId: other, replacedTxId: attempt.txId, atMs: 1_000 },
    ])
    expect(list()).toEqual([{ ...attempt, txId: other }])
    node.blocks.push(node.pending.splice(0))
    await ended
    expect(statuses().filter(([status]) => status === 'broadcast')).toEqual([
      ['broadcast', attempt.txId],
      ['broadcast', other],
    ])
    expect(statuses().at(-1)).toEqual(['paid', other])
  })

  test('behavior: a speed-up that the service reports first is told too', async () => {
    const { node, show, until, events, ended, statuses } = start()
    const received = { amount: '0.042', currency: 'eth', chain: 'base-sepolia', txId: other }
    show(withPayment({ status: 'in-progress', received }))
    node.blocks.push([transactionOf(attempt, { hash: other })])
    await ended
    await until(() => events.length > 0)
    expect(events).toEqual([
      { type: 'payment.repriced', orderId: 'order', txId: other, replacedTxId: attempt.txId, atMs: 1_000 },
    ])
    expect(statuses().at(-1)).toEqual(['paid', other])
  })

  test('behavior: a report of the first hash that is answered late changes nothing', async () => {
    const world = createPayContext([attempt])
    const answers: (() => void)[] = []
    world.service.onRequest = () =>
      new Promise((resolve) => answers.push(() => resolve(Response.json(unpaid))))
    world.node.pending.push(transactionOf(attempt, { hash: other }))
    void confirmPayment(world.context, attempt)
    while (answers.length < 2) await sleep(1)
    const { length } = world.steps
    answers[0]?.()
    await sleep(10)
    expect(world.steps.slice(length).filter((step) => 'txId' in step && step.txId !== other)).toEqual([])
    world.show(withPayment({ status: 'in-progress' }))
  })

  test('behavior: the hash of a contract wallet’s identifier is no speed-up', async () => {
    const { node, events, ended, statuses } = start(createAttempt({ isContractWallet: true }))
    node.blocks.push([transactionOf(attempt, { hash: other })])
    await ended
    expect(events).toEqual([])
    expect(statuses().at(-1)).toEqual(['paid', other])
  })

  test('behavior: a nonce that is learned is stored, and starts nothing again', async () => {
    const { node, until, list, statuses } = start(createAttempt({ nonce: undefined }))
    node.pending.push(transactionOf(attempt, { nonce: 7 }))
    await until(() => list()[0]?.nonce === 7)
    expect(statuses().filter(([status]) => status === 'broadcast')).toHaveLength(1)
  })
})

describe('a payment that fails', () => {
  test.each([
    ['pay.reverted', transactionOf(attempt, { isReverted: true })],
    ['pay.cancelled', transactionOf(attempt, { hash: other, to: payer, value: 0n, input: '0x' })],
    ['pay.replaced', transactionOf(attempt, { hash: other, to: stranger })],
  ])('error: %s, and the attempt is over', async (code, sent) => {
    const { node, ended, list, steps } = start()
    node.blocks.push([sent])
    expect(await ended).toBe(code)
    expect(list()).toEqual([])
    expect(steps.at(-1)?.status).not.toBe('paid')
  })

  test('error: pay.dropped, and the attempt is kept as dropped', async () => {
    const { clock, ended, list } = start()
    await sleep(1)
    clock.nowMs += 2 * minuteMs + 1
    expect(await ended).toBe('pay.dropped')
    expect(list()).toEqual([{ ...attempt, isDropped: true }])
  })

  test.each([
    ['a contract wallet', { isContractWallet: true }],
    ['a bundle of calls', { callsId: 'bundle' }],
  ])('error: pay.uncertain for %s, whose hash is kept', async (_, fields) => {
    const sent = createAttempt(fields)
    const { clock, ended, list } = start(sent)
    await sleep(1)
    clock.nowMs += 10 * minuteMs + 1
    expect(await ended).toBe('pay.uncertain')
    expect(list()).toEqual([{ ...sent, isDropped: true }])
  })

  test('error: pay.uncertain when the hash is of something else, and is forgotten', async () => {
    const { node, clock, ended, list } = start()
    node.blocks.push([transactionOf(attempt, { value: 4n, nonce: 2 })])
    await sleep(1)
    clock.nowMs += 2 * minuteMs + 1
    expect(await ended).toBe('pay.uncertain')
    expect(list()).toEqual([{ ...attempt, txId: undefined }].map(({ txId: _, ...kept }) => kept))
  })

  test('behavior: nothing is told after the end', async () => {
    const { node, show, steps, ended } = start()
    show(withPayment({ status: 'in-progress' }))
    await ended
    const { length } = steps
    const asked = node.asked.length
    node.pending.push(transactionOf(attempt))
    await sleep(20)
    expect(steps).toHaveLength(length)
    expect(node.asked.length - asked).toBeLessThanOrEqual(8)
  })
})
