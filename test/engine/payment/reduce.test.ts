import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPending, type PayStep } from '../../../src/engine/payment/payStep.js'
import {
  initialState,
  type PaymentEffect,
  type PaymentEvent,
  type PaymentState,
  reduce,
  retryMs,
} from '../../../src/engine/payment/reduce.js'
import { payError } from '../../../src/errors/payError.js'

const paid = { status: 'paid', txId: '0xaa' } as const
const uncertain = {
  status: 'uncertain',
  error: payError('pay.uncertain', { attemptedAt: '', hasOpenTransaction: false }),
} as const
const rejected: PayStep = { status: 'failed', error: payError('pay.rejected', {}) }
const change = payError('pay.price-changed', { from: '1 ETH', to: '2 ETH' })

/** What leads to the question to the wallet. */
const asked: PaymentEvent[] = [
  { type: 'begun', hasOpen: false, isAgain: false },
  { type: 'prepared', identity: 'one', terms: 'price' },
  { type: 'approved', identity: 'one', terms: 'price' },
  { type: 'wallet-opened' },
  { type: 'stored' },
]

/** Applies events, one after another. */
const play = (...events: PaymentEvent[]) => {
  let state = initialState
  let effects: PaymentEffect[] = []
  for (const event of events) {
    const next = reduce(state, event)
    state = next.state
    effects = next.effects
  }
  return { state, effects, types: effects.map(({ type }) => type) }
}

const ended = (fields: Partial<Extract<PaymentEvent, { type: 'ended' }>> = {}): PaymentEvent => ({
  type: 'ended',
  failure: undefined,
  isBusyElsewhere: false,
  hasAttempts: false,
  ...fields,
})

describe('reduce', () => {
  test('default: a press, a payment, and the service accepts it', () => {
    expect(play({ type: 'pressed' }).types).toEqual(['stop-search', 'poll', 'run'])
    const isPaid = play({ type: 'pressed' }, { type: 'stepped', step: paid }, ended({ hasAttempts: true }))
    expect(isPaid.effects).toEqual([
      { type: 'stop-search' },
      { type: 'await-settlement', txId: '0xaa' },
      { type: 'wake' },
    ])
    expect(isPaid.state).toMatchObject({ step: paid, task: undefined })
    const settled = reduce(isPaid.state, { type: 'settled', isAccepted: true, hasAttempts: false })
    expect(settled).toEqual({ state: isPaid.state, effects: [{ type: 'poll', isOften: false }] })
  })

  test('behavior: an attempt without an outcome is searched', () => {
    const { state, effects } = play({ type: 'pressed' }, ended({ failure: uncertain, hasAttempts: true }))
    expect(effects).toEqual([
      { type: 'poll', isOften: false },
      { type: 'search', delayMs: 0 },
      { type: 'wake' },
    ])
    expect(state).toMatchObject({ step: uncertain, search: 'chain' })
  })

  test('behavior: one that was found and could not be resumed is searched again after a while', () => {
    const found = play(
      { type: 'pressed' },
      ended({ failure: uncertain, hasAttempts: true }),
      { type: 'found', seen: undefined },
      ended({ failure: uncertain, hasAttempts: true }),
    )
    expect(found.effects).toContainEqual({ type: 'search', delayMs: retryMs })
  })

  test('behavior: while another tab holds the order, this one waits', () => {
    const waiting = play(
      { type: 'opened', hasAttempts: true },
      ended({ isBusyElsewhere: true, hasAttempts: true }),
    )
    expect(waiting.types).toEqual(['poll', 'wait', 'wake'])
    expect(waiting.state).toMatchObject({ step: { status: 'idle' }, search: 'later' })
  })

  test('behavior: another price is shown once, and agreed to by a reset', () => {
    const shown = play({ type: 'priced', change })
    expect(shown.state.step).toEqual({ status: 'failed', error: change })
    expect(reduce(shown.state, { type: 'priced', change }).state).toBe(shown.state)
    expect(reduce(shown.state, { type: 'reset' })).toMatchObject({
      state: { step: { status: 'idle' } },
      effects: [{ type: 'agree' }, { type: 'wake' }],
    })
    expect(reduce(shown.state, { type: 'priced', change: undefined }).state.step.status).toBe('idle')
  })

  test('behavior: a payment that failed is over', () => {
    const { state, effects } = play({ type: 'pressed' }, ended({ failure: rejected }))
    expect(state).toEqual({ ...initialState, step: rejected })
    expect(effects).toEqual([{ type: 'poll', isOften: false }, { type: 'wake' }])
  })

  test('behavior: what is uncertain is over once no attempt is left, and so is a check', () => {
    expect(play({ type: 'pressed' }, ended({ failure: uncertain })).state.step).toEqual({ status: 'idle' })
    const checked = play({ type: 'pressed' }, { type: 'stepped', step: { status: 'checking' } }, ended())
    expect(checked.state.step).toEqual({ status: 'idle' })
    const signing: PayStep = { status: 'awaiting-signature' }
    const left = play({ type: 'pressed' }, ...asked, { type: 'stepped', step: signing }, ended())
    expect(left.state.step).toBe(signing)
  })

  test('behavior: opening a page resumes an open attempt, and ends a check that was left over', () => {
    expect(play({ type: 'opened', hasAttempts: true })).toMatchObject({
      state: { task: 'resume', searchDelayMs: 0 },
      effects: [{ type: 'stop-search' }, { type: 'poll', isOften: true }, { type: 'run', task: 'resume' }],
    })
    const checking: PaymentState = { ...initialState, step: { status: 'checking' } }
    expect(reduce(checking, { type: 'opened', hasAttempts: false })).toEqual({
      state: initialState,
      effects: [],
    })
    expect(reduce(checking, { type: 'opened', hasAttempts: true }).state.task).toBe('resume')
    for (const step of [rejected, uncertain]) {
      const shown: PaymentState = { ...initialState, step }
      expect(reduce(shown, { type: 'opened', hasAttempts: true })).toEqual({ state: shown, effects: [] })
    }
    const busy: PaymentState = { ...initialState, task: 'pay' }
    expect(reduce(busy, { type: 'opened', hasAttempts: true }).state).toBe(busy)
  })

  test('behavior: what a search learns is shown once', () => {
    const error = payError('pay.uncertain', { attemptedAt: '', hasOpenTransaction: true })
    const searched: PaymentState = { ...initialState, step: uncertain, search: 'chain' }
    const looked = reduce(searched, { type: 'looked', error })
    expect(looked).toEqual({ state: { ...searched, step: { status: 'uncertain', error } }, effects: [] })
    expect(reduce(looked.state, { type: 'looked', error }).state).toBe(looked.state)
    const idle = reduce(initialState, { type: 'looked', error })
    expect(idle.state).toBe(initialState)
  })

  test('behavior: a refusal after the wait ends what was uncertain, and the search', () => {
    const searched: PaymentState = { ...initialState, step: uncertain, search: 'chain' }
    expect(reduce(searched, { type: 'refused', failure: rejected, hasAttempts: false })).toEqual({
      state: { ...initialState, step: rejected },
      effects: [{ type: 'stop-search' }],
    })
    for (const unchanged of [{ ...searched, task: 'pay' as const }, initialState]) {
      expect(reduce(unchanged, { type: 'refused', failure: rejected, hasAttempts: false }).state).toBe(
        unchanged,
      )
    }
    expect(reduce(searched, { type: 'refused', failure: rejected, hasAttempts: true }).state).toBe(searched)
  })

  test('behavior: a payment that the service has seen is paid, with or without its hash', () => {
    const searched: PaymentState = { ...initialState, step: uncertain, search: 'chain' }
    expect(reduce(searched, { type: 'found', seen: { txId: undefined } })).toEqual({
      state: { ...initialState, step: { status: 'paid', txId: undefined } },
      effects: [{ type: 'stop-search' }, { type: 'await-settlement', txId: '' }, { type: 'wake' }],
    })
    const busy: PaymentState = { ...searched, task: 'resume' }
    expect(reduce(busy, { type: 'found', seen: { txId: '0xaa' } }).state).toBe(busy)
  })

  test('behavior: a payment that does not stand is resumed where an attempt is open', () => {
    const shown: PaymentState = { ...initialState, step: paid }
    expect(reduce(shown, { type: 'settled', isAccepted: false, hasAttempts: false })).toEqual({
      state: initialState,
      effects: [{ type: 'poll', isOften: false }],
    })
    expect(reduce(shown, { type: 'settled', isAccepted: false, hasAttempts: true })).toMatchObject({
      state: { step: { status: 'idle' }, task: 'resume', searchDelayMs: retryMs },
      effects: [
        { type: 'poll', isOften: false },
        { type: 'stop-search' },
        { type: 'poll', isOften: true },
        { type: 'run', task: 'resume' },
      ],
    })
  })

  test('behavior: an equal price takes no other failure away, and a reset agrees to no price', () => {
    const failed: PaymentState = { ...initialState, step: rejected }
    expect(reduce(failed, { type: 'priced', change: undefined }).state).toBe(failed)
    expect(reduce(failed, { type: 'reset' }).effects).toEqual([{ type: 'wake' }])
    const busy: PaymentState = { ...initialState, task: 'pay' }
    expect(reduce(busy, { type: 'priced', change }).state).toBe(busy)
    const signing: PaymentState = { ...initialState, step: { status: 'awaiting-signature' } }
    expect(reduce(signing, { type: 'reset' }).state).toBe(signing)
  })

  test('behavior: an event that changes nothing gives the same state and no effect', () => {
    for (const event of [
      { type: 'found', seen: undefined },
      { type: 'pressed' },
      { type: 'opened', hasAttempts: true },
      { type: 'reset' },
      { type: 'priced', change },
      { type: 'looked', error: uncertain.error },
      { type: 'refused', failure: rejected, hasAttempts: false },
    ] satisfies PaymentEvent[]) {
      const state: PaymentState = { ...initialState, step: paid }
      const next = reduce(state, event)
      expect(next.state).toBe(state)
      expect(next.effects).toEqual([])
    }
  })
})

/** What surrounds a payment: it performs the effects, and knows what may happen next. */
type World = {
  state: PaymentState
  hasAttempts: boolean
  isRunning: boolean
  isSearching: boolean
  isPolledOften: boolean
  settlements: number
}

const perform = (world: World, effect: PaymentEffect): void => {
  switch (effect.type) {
    case 'run':
      expect(world.isRunning).toBe(false)
      expect(world.isSearching).toBe(false)
      world.isRunning = true
      break
    case 'search':
    case 'wait':
      expect(world.isSearching).toBe(false)
      world.isSearching = true
      break
    case 'stop-search':
      world.isSearching = false
      break
    case 'poll':
      world.isPolledOften = effect.isOften
      break
    case 'await-settlement':
      world.settlements += 1
  }
}

const steps: PayStep[] = [
  { status: 'checking' },
  { status: 'awaiting-signature' },
  { status: 'broadcast', txId: '0xaa' },
  { status: 'confirming', txId: '0xaa' },
  paid,
]
const failures: (PayStep | undefined)[] = [undefined, uncertain, rejected]

/** A choice of what happens next, from numbers that fast-check draws. */
const choose = (world: World, [which, detail, isOpen]: readonly [number, number, boolean]): PaymentEvent => {
  const { hasAttempts } = world
  const possible: (() => PaymentEvent)[] = [
    () => ({ type: 'pressed' }),
    () => ({ type: 'opened', hasAttempts }),
    () => ({ type: 'reset' }),
    () => ({ type: 'priced', change: isOpen ? change : undefined }),
    // A wallet may answer at any time after the wait for it has ended.
    () => ({ type: 'found', seen: isOpen ? { txId: '0xaa' } : undefined }),
    () => {
      world.hasAttempts = hasAttempts && isOpen
      return { type: 'refused', failure: rejected, hasAttempts: world.hasAttempts }
    },
  ]
  if (world.isRunning) {
    possible.push(
      () => ({ type: 'stepped', step: steps[detail % steps.length] ?? paid }),
      () => {
        const failure = failures[detail % failures.length]
        world.isRunning = false
        // What is uncertain or paid is stored; what failed may be beside an earlier attempt.
        const isStored = failure === uncertain || world.state.step.status === 'paid'
        world.hasAttempts = isStored || (hasAttempts && isOpen)
        return ended({ failure, isBusyElsewhere: !failure && isOpen, hasAttempts: world.hasAttempts })
      },
    )
  }
  if (world.isSearching) possible.push(() => ({ type: 'looked', error: uncertain.error }))
  if (world.settlements > 0) {
    possible.push(() => {
      world.settlements -= 1
      world.hasAttempts = hasAttempts && !isOpen
      return { type: 'settled', isAccepted: isOpen, hasAttempts: world.hasAttempts }
    })
  }
  return (possible[which % possible.length] ?? (() => ({ type: 'reset' })))()
}

test('property: whatever happens, one task runs, what is paid stays, and what is open is looked for', () => {
  const draw = fc.tuple(fc.nat(1_000), fc.nat(1_000), fc.boolean())
  fc.assert(
    fc.property(fc.array(draw, { maxLength: 60 }), (draws) => {
      const world: World = {
        state: initialState,
        hasAttempts: false,
        isRunning: false,
        isSearching: false,
        isPolledOften: false,
        settlements: 0,
      }
      for (const numbers of draws) {
        const before = world.state
        const event = choose(world, numbers)
        const { state, effects } = reduce(before, event)
        world.state = state
        for (const effect of effects) perform(world, effect)

        expect(state.task !== undefined).toBe(world.isRunning)
        expect(state.search !== undefined).toBe(world.isSearching)
        // Only the service takes a paid payment back.
        if (before.step.status === 'paid' && event.type !== 'settled') expect(state.step).toBe(before.step)
        // A reset never hides a payment that may be on its way.
        if (event.type === 'reset' && (isPending(before.step) || before.step.status === 'uncertain'))
          expect(state).toBe(before)
        // A press never starts a second payment.
        if (event.type === 'pressed' && (before.task || before.step.status === 'paid'))
          expect(effects).toEqual([])
        // An attempt that may still succeed is either being worked on, looked for, or decided about.
        if (world.hasAttempts && state.step.status !== 'paid')
          expect(world.isRunning || world.isSearching).toBe(true)
        if (state.step.status === 'paid' && !world.isRunning) expect(world.isSearching).toBe(false)
        if (world.isRunning) expect(world.isPolledOften).toBe(true)
        if (state.step.status === 'checking') expect(state.task).toBeDefined()
      }
    }),
    { numRuns: 5_000 },
  )
})
