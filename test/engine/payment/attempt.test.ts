import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AttemptEffect, AttemptEvent, AttemptState } from '../../../src/engine/payment/attempt.js'
import { noAttempt, reduceAttempt } from '../../../src/engine/payment/attempt.js'
import {
  initialState,
  type PaymentEvent,
  type PaymentState,
  reduce,
} from '../../../src/engine/payment/reduce.js'
import { payError } from '../../../src/errors/payError.js'

const begun: AttemptEvent = { type: 'begun', hasOpen: false, isAgain: false }
const prepared: AttemptEvent = { type: 'prepared', identity: 'one', terms: 'price' }
const approved: AttemptEvent = { type: 'approved', identity: 'one', terms: 'price' }
const opened: AttemptEvent = { type: 'wallet-opened' }
const stored: AttemptEvent = { type: 'stored' }

/** Applies events to an attempt, and returns what its task was told to do after each. */
const play = (...events: AttemptEvent[]) => {
  let attempt: AttemptState = noAttempt
  const told = events.map((event) => {
    const next = reduceAttempt(attempt, event)
    attempt = next.attempt
    return next.effect?.type
  })
  return { attempt, told }
}

describe('reduceAttempt', () => {
  test('default: checked, approved, stored, asked, sent', () => {
    const { attempt, told } = play(begun, prepared, approved, opened, stored, {
      type: 'answered',
      txId: '0xaa',
    })
    expect(told).toEqual(['prepare', 'approve', 'open-wallet', 'store-attempt', 'ask-wallet', 'watch'])
    expect(attempt).toEqual({ status: 'sent', txId: '0xaa' })
  })

  test('behavior: beside an attempt that may succeed, only who says so pays again', () => {
    const open = { ...begun, hasOpen: true }
    expect(reduceAttempt(noAttempt, open)).toEqual({
      attempt: { status: 'silent' },
      effect: { type: 'stop', reason: 'uncertain' },
    })
    expect(reduceAttempt(noAttempt, { ...open, isAgain: true }).effect).toEqual({ type: 'prepare' })
  })

  test('behavior: a price renewed meanwhile is checked again, once; another payment is none that was approved', () => {
    const renewed: AttemptEvent = { ...approved, identity: 'two' }
    const again: AttemptEvent = { ...approved, identity: 'three' }
    expect(play(begun, prepared, renewed).told.at(-1)).toBe('prepare')
    const twice = play(begun, prepared, renewed, { ...prepared, identity: 'two' }, again)
    expect(twice).toEqual({
      attempt: noAttempt,
      told: ['prepare', 'approve', 'prepare', 'approve', 'stop'],
    })
    expect(play(begun, prepared, { ...approved, identity: 'two', terms: 'more' }).told.at(-1)).toBe('stop')
  })

  test('behavior: a wallet that answers an earlier attempt late is not asked again', () => {
    const late = play(begun, prepared, approved, { type: 'answered', txId: '0xbb' }, opened, stored)
    expect(late.told.slice(3)).toEqual(['watch', undefined, undefined])
  })

  test('behavior: after the wallet was asked, its answer, its refusal, its silence and the service count', () => {
    const asked: AttemptState = { status: 'asked' }
    expect(reduceAttempt(asked, { type: 'declined' })).toEqual({ attempt: noAttempt })
    expect(reduceAttempt(asked, { type: 'silent' })).toEqual({ attempt: { status: 'silent' } })
    expect(reduceAttempt(asked, { type: 'seen' })).toEqual({ attempt: noAttempt, effect: { type: 'resume' } })
    for (const event of [begun, prepared, approved, opened, stored])
      expect(reduceAttempt(asked, event)).toEqual({ attempt: asked })
  })
})

describe('reduce', () => {
  const pressed = reduce(initialState, { type: 'pressed' }).state
  const asked: PaymentState = {
    ...pressed,
    attempt: { status: 'asked' },
    step: { status: 'awaiting-signature' },
  }

  test('behavior: the buyer is shown that the wallet is asked, when it is', () => {
    const ready: PaymentState = { ...pressed, attempt: { status: 'opened' } }
    expect(reduce(ready, stored)).toEqual({
      state: { ...ready, attempt: { status: 'asked' }, step: { status: 'awaiting-signature' } },
      effects: [{ type: 'attempt', next: { type: 'ask-wallet' } }],
    })
  })

  test('behavior: no task, no attempt; and none for a payment that is decided', () => {
    expect(reduce(initialState, begun)).toEqual({ state: initialState, effects: [] })
    const paid: PaymentState = { ...pressed, step: { status: 'paid' } }
    expect(reduce(paid, begun)).toEqual({ state: paid, effects: [] })
  })

  test('behavior: no step from before the wallet was asked comes after it', () => {
    for (const status of ['connecting', 'checking'] as const)
      expect(reduce(asked, { type: 'stepped', step: { status } }).state).toBe(asked)
    // A payment may take several signatures, and the step says which one waits.
    const second = { status: 'awaiting-signature', part: { number: 2, count: 2 } } as const
    expect(reduce(asked, { type: 'stepped', step: second }).state).toEqual({ ...asked, step: second })
    const sent = reduce(asked, { type: 'stepped', step: { status: 'broadcast', txId: '0xaa' } }).state
    expect(sent.attempt).toEqual({ status: 'sent', txId: '0xaa' })
    for (const status of ['checking', 'awaiting-signature'] as const)
      expect(reduce(sent, { type: 'stepped', step: { status } }).state).toBe(sent)
    const silent = reduce(asked, { type: 'silent' }).state
    expect(reduce(silent, { type: 'stepped', step: second }).state).toBe(silent)
  })

  test('behavior: a task that ends while the wallet is asked leaves it silent', () => {
    const over = { type: 'ended', failure: undefined, isBusyElsewhere: false } as const
    expect(reduce(asked, { ...over, hasAttempts: true }).state.attempt).toEqual({ status: 'silent' })
    const checked: PaymentState = { ...pressed, attempt: { status: 'approved' } }
    expect(reduce(checked, { ...over, hasAttempts: false }).state.attempt).toEqual(noAttempt)
  })
})

/** What surrounds the attempts at one order: the store of the browser, and whether the wallet may have sent. */
type World = {
  state: PaymentState
  isStored: boolean
  /** Whether the wallet was asked, and neither refused nor was it proved that its payment never comes. */
  mayHaveSent: boolean
  /** Whether the buyer has said to pay again since the wallet was last asked. */
  saidAgain: boolean
}

const rejected = { status: 'failed', error: payError('pay.rejected', {}) } as const

/** Any event of a payment, in any order, as wallets, networks and buyers bring them. */
const anyEvent = (world: World, which: number, isAgain: boolean): PaymentEvent => {
  const { isStored } = world
  const events: PaymentEvent[] = [
    { type: 'pressed' },
    { type: 'opened', hasAttempts: isStored },
    { type: 'begun', hasOpen: isStored, isAgain },
    prepared,
    approved,
    { ...approved, identity: isAgain ? 'one' : 'two' },
    opened,
    stored,
    { type: 'answered', txId: '0xaa' },
    { type: 'seen' },
    { type: 'silent' },
    { type: 'declined' },
    { type: 'refused', failure: rejected, hasAttempts: false },
    { type: 'found', seen: undefined },
    {
      type: 'ended',
      failure: isStored ? undefined : rejected,
      isBusyElsewhere: false,
      hasAttempts: isStored,
    },
    { type: 'stepped', step: { status: 'checking' } },
    { type: 'reset' },
  ]
  return events[which % events.length] ?? { type: 'reset' }
}

const perform = (world: World, next: AttemptEffect): void => {
  if (next.type === 'store-attempt') world.isStored = true
  if (next.type !== 'ask-wallet') return
  // The wallet is asked for nothing that a reload would not find again.
  expect(world.isStored).toBe(true)
  expect(world.mayHaveSent && !world.saidAgain).toBe(false)
  world.mayHaveSent = true
  world.saidAgain = false
}

test('property: between two questions to the wallet stands a refusal, or a press that says again', () => {
  let asked = 0
  const draw = fc.tuple(fc.nat(1_000), fc.boolean())
  // Half of the draws go straight on, so that the wallet is reached often.
  const straight = fc.constantFrom<readonly number[]>([0, 2, 3, 4, 6, 7])
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.array(draw, { maxLength: 12 }), straight)), (rounds) => {
      const world: World = { state: initialState, isStored: false, mayHaveSent: false, saidAgain: false }
      const draws = rounds.flatMap(([any, order]) => [
        ...any,
        ...order.map((which) => [which, false] as const),
      ])
      for (const [which, isAgain] of draws) {
        const event = anyEvent(world, which, isAgain)
        const { state, effects } = reduce(world.state, event)
        if (event.type === 'begun' && event.isAgain) world.saidAgain = true
        // A refusal of the wallet that is asked now, or of one that answered late.
        const wasAsked = world.state.attempt.status === 'asked'
        if ((event.type === 'declined' && wasAsked) || (event.type === 'refused' && state !== world.state)) {
          world.isStored = false
          world.mayHaveSent = false
        }
        world.state = state
        for (const effect of effects) {
          if (effect.type !== 'attempt') continue
          if (effect.next.type === 'ask-wallet') asked += 1
          perform(world, effect.next)
        }
      }
    }),
    { numRuns: 3_000 },
  )
  expect(asked).toBeGreaterThan(1_000)
})
