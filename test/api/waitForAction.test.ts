import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createClient, isKassaError, waitForAction } from '../../src/api/index.js'
import type { Action } from '../../src/schema/index.js'
import { unheardOf } from '../helpers/unheardOf.js'

const actionId = 'one'
const pending: Action = {
  actionId,
  action: 'nfts.create',
  status: 'pending',
  data: {},
  startedAt: '2026-01-01T00:00:00.000Z',
}
const succeeded: Action = { ...pending, status: 'succeeded', completedAt: '2026-01-01T00:00:05.000Z' }

type Answer = Action | Response | Error | 'never'

/** A service with these answers, the last of them for ever, and when it was asked. */
const answering = (...answers: readonly Answer[]) => {
  const askedMs: number[] = []
  const beganMs = Date.now()
  const client = createClient({
    baseUrl: 'http://service.test/api',
    timeoutMs: 2_000,
    fetch: (_, init) =>
      new Promise((resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
        const answer = answers[Math.min(askedMs.length, answers.length - 1)] ?? 'never'
        askedMs.push(Date.now() - beganMs)
        if (answer === 'never') return
        if (answer instanceof Error) reject(answer)
        else resolve(answer instanceof Response ? answer.clone() : Response.json(answer))
      }),
  })
  return { client, askedMs }
}

const refusal = (status: number, headers: Record<string, string> = {}) =>
  Response.json({ error: true, message: 'no' }, { status, headers })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** What becomes of a wait while its timers are played. */
const play = async <Value>(work: Promise<Value>) => {
  let isSettled = false
  const settled = work
    .then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
    .finally(() => {
      isSettled = true
    })
  await vi.advanceTimersByTimeAsync(0)
  while (!isSettled && vi.getTimerCount() > 0) await vi.advanceTimersToNextTimerAsync()
  return settled
}

/** Asks at the least wait each time. */
const soon = () => 0

describe('waitForAction', () => {
  test('default', async () => {
    const { client, askedMs } = answering(pending, pending, succeeded)
    expect(await play(waitForAction(client, { actionId, random: soon }))).toEqual({ value: succeeded })
    expect(askedMs).toEqual([0, 500, 1_000])
  })

  test('behavior: leaves no timer behind', async () => {
    const { client } = answering(pending, succeeded)
    const waiting = waitForAction(client, { actionId })
    await vi.advanceTimersByTimeAsync(500)
    expect(await waiting).toEqual(succeeded)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('behavior: an action that failed is an answer', async () => {
    const failed = {
      ...pending,
      status: 'failed' as const,
      data: { error: { reason: 'execution_reverted' } },
    }
    const { client } = answering(failed)
    expect(await play(waitForAction(client, { actionId }))).toEqual({ value: failed })
  })

  test('behavior: a way to end that a newer service has, and one that is no end', async () => {
    const undone = { ...succeeded, status: unheardOf('undone') }
    const { client, askedMs } = answering({ ...pending, status: unheardOf('queued') }, undone)
    expect(await play(waitForAction(client, { actionId }))).toEqual({ value: undone })
    expect(askedMs).toHaveLength(2)
  })

  test('behavior: asks ever more slowly, up to every 5 s', async () => {
    const { client, askedMs } = answering(...Array<Action>(12).fill(pending), succeeded)
    await play(waitForAction(client, { actionId, random: () => 1 }))
    const waits = askedMs.slice(1).map((ms, index) => ms - (askedMs[index] ?? 0))
    expect(waits).toEqual([500, 1_500, 4_500, ...Array<number>(9).fill(5_000)])
  })

  test('behavior: many who wait do not ask at one moment', async () => {
    const asked = await Promise.all(
      [0.2, 0.9].map(async (random) => {
        const { client, askedMs } = answering(pending, pending, pending, succeeded)
        await play(waitForAction(client, { actionId, random: () => random }))
        return askedMs
      }),
    )
    expect(asked[0]?.slice(2)).not.toEqual(asked[1]?.slice(2))
  })

  test('parameters: pollMs', async () => {
    const { client, askedMs } = answering(pending, pending, succeeded)
    await play(waitForAction(client, { actionId, pollMs: 8_000 }))
    expect(askedMs).toEqual([0, 8_000, 16_000])
    const eager = answering(pending, succeeded)
    await play(waitForAction(eager.client, { actionId, pollMs: 0 }))
    expect(eager.askedMs).toEqual([0, 50])
  })

  test('parameters: onUpdate hears of every change once', async () => {
    const further = { ...pending, data: { txId: '0x7a' } }
    const { client } = answering(pending, pending, refusal(503), pending, further, further, succeeded)
    const heard: Action[] = []
    await play(waitForAction(client, { actionId, onUpdate: (action) => heard.push(action) }))
    expect(heard).toEqual([pending, further, succeeded])
  })

  test('behavior: what onUpdate throws ends the wait', async () => {
    const { client, askedMs } = answering(pending)
    const onUpdate = () => {
      throw new TypeError('no')
    }
    expect(await play(waitForAction(client, { actionId, onUpdate }))).toEqual({ error: new TypeError('no') })
    expect(askedMs).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('behavior: outlasts a service that is away, slow or busy', async () => {
    const away = new TypeError('fetch failed')
    const { client, askedMs } = answering(
      away,
      'never',
      refusal(502),
      refusal(503),
      refusal(504),
      refusal(429),
      succeeded,
    )
    expect(await play(waitForAction(client, { actionId, random: soon }))).toEqual({ value: succeeded })
    expect(askedMs).toEqual([0, 500, 3_000, 3_500, 4_000, 4_500, 5_000])
  })

  test('behavior: waits as long as the service asks for', async () => {
    const { client, askedMs } = answering(refusal(429, { 'retry-after': '7' }), pending, succeeded)
    await play(waitForAction(client, { actionId, random: soon }))
    expect(askedMs).toEqual([0, 7_000, 7_500])
  })

  test.each([
    [401, 'api.unauthorized'],
    [403, 'api.forbidden'],
    [404, 'api.not-found'],
    [500, 'api.failed'],
  ])('error: status %s ends the wait', async (status, code) => {
    const { client, askedMs } = answering(pending, refusal(status))
    expect(await play(waitForAction(client, { actionId }))).toMatchObject({ error: { code } })
    expect(askedMs).toHaveLength(2)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('parameters: signal, while it waits and while it asks', async () => {
    const reason = new Error('the page was left')
    for (const answer of [pending, 'never'] as const) {
      const { client, askedMs } = answering(answer)
      const controller = new AbortController()
      setTimeout(() => controller.abort(reason), 300)
      const { signal } = controller
      expect(await play(waitForAction(client, { actionId, signal }))).toEqual({ error: reason })
      expect(askedMs).toEqual([0])
    }
    const { client, askedMs } = answering(pending)
    const signal = AbortSignal.abort(reason)
    expect(await play(waitForAction(client, { actionId, signal }))).toEqual({ error: reason })
    expect(askedMs).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('parameters: signal, given up by onUpdate itself', async () => {
    const { client } = answering(pending)
    const controller = new AbortController()
    const reason = new Error('enough')
    const onUpdate = () => controller.abort(reason)
    const beganMs = Date.now()
    expect(await play(waitForAction(client, { actionId, onUpdate, signal: controller.signal }))).toEqual({
      error: reason,
    })
    expect(Date.now()).toBe(beganMs)
  })

  test('error: action.unfinished after timeoutMs, even amid a question', async () => {
    for (const [answer, cause] of [
      [pending, undefined],
      ['never', undefined],
      [refusal(503, { 'retry-after': '3600' }), 'api.unavailable'],
    ] as const) {
      const { client } = answering(answer)
      const beganMs = Date.now()
      const ended = await play(waitForAction(client, { actionId, timeoutMs: 1_700 }))
      expect(Date.now() - beganMs).toBe(1_700)
      if (!('error' in ended) || !isKassaError(ended.error, 'action.unfinished')) throw new Error('it ended')
      expect(ended.error).toMatchObject({ context: { actionId, timeoutMs: 1_700 }, retryable: true })
      expect(isKassaError(ended.error.cause) ? ended.error.cause.code : ended.error.cause).toBe(cause)
    }
  })

  test('parameters: timeoutMs, without end', async () => {
    const { client } = answering(...Array<Action>(60).fill(pending), succeeded)
    const waiting = waitForAction(client, { actionId, timeoutMs: Number.POSITIVE_INFINITY })
    expect(await play(waiting)).toEqual({ value: succeeded })
  })
})
