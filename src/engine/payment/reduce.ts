import type { KassaError } from '../../errors/KassaError.js'
import {
  type AttemptEffect,
  type AttemptEvent,
  type AttemptState,
  endAttempt,
  mayStep,
  noAttempt,
  reduceAttempt,
} from './attempt.js'
import { isPending, type PayStep } from './payStep.js'

/**
 * How long an attempt is left alone that was found but could not be resumed, because another tab holds it or
 * the service is unavailable.
 */
export const retryMs = 5_000

/** A payment of one order, between two events. */
export type PaymentState = {
  /** What the buyer is shown. */
  step: PayStep
  /** What runs now: a payment, or the resumption of an earlier attempt. Only one runs at a time. */
  task: 'pay' | 'resume' | undefined
  /** Where open attempts are looked for: on chain, or later, once another tab may have ended. */
  search: 'chain' | 'later' | undefined
  /** How long the next search waits before it looks. */
  searchDelayMs: number
  /** How far the newest attempt has come. */
  attempt: AttemptState
}

/** The state of a payment that has not begun. */
export const initialState: PaymentState = {
  step: { status: 'idle' },
  task: undefined,
  search: undefined,
  searchDelayMs: 0,
  attempt: noAttempt,
}

/**
 * What happens to a payment, beside what happens to its attempt ({@link AttemptEvent}). `hasAttempts` says whether any
 * stored attempt may still succeed.
 *
 * - `pressed`: the buyer pressed the button.
 * - `opened`: a component shows the payment, whose attempts an earlier page may have left.
 * - `stepped`: the running task has reached a step. One that comes before the wallet was asked is not shown after it.
 * - `ended`: the running task is over; `failure` is the step of its error.
 * - `found`: an attempt has a hash, or its wait is over; `seen` when the service has seen its payment.
 * - `refused`: the wallet refused after the wait for it had ended, or an attempt was proved never to succeed.
 * - `looked`: a search has not found the attempt, but knows more about it.
 * - `settled`: a paid payment is accepted (`stands`), or it is not the payment after all.
 * - `priced`: the price was compared with the one the buyer agreed to.
 * - `reset`: the buyer closed a failure.
 */
export type PaymentEvent =
  | { type: 'pressed' }
  | { type: 'opened'; hasAttempts: boolean }
  | { type: 'stepped'; step: PayStep }
  | { type: 'ended'; failure: PayStep | undefined; isBusyElsewhere: boolean; hasAttempts: boolean }
  | { type: 'found'; seen: { txId: string | undefined } | undefined }
  | { type: 'refused'; failure: PayStep; hasAttempts: boolean }
  | { type: 'looked'; error: Extract<PayStep, { status: 'uncertain' }>['error'] }
  | { type: 'settled'; isAccepted: boolean; hasAttempts: boolean }
  | { type: 'priced'; change: KassaError<'pay.price-changed'> | undefined }
  | { type: 'reset' }
  | AttemptEvent

/**
 * What follows from an event.
 *
 * - `run`: run the task under the order's lock.
 * - `search`: look for the open attempts on chain and in the order, until one is found.
 * - `wait`: treat the open attempts as found after {@link retryMs}.
 * - `stop-search`: end a search or wait.
 * - `poll`: poll the order often, or as its state needs.
 * - `await-settlement`: wait until the service has decided about the payment.
 * - `agree`: the buyer agrees to the current price.
 * - `wake`: the quote may be renewed again.
 * - `attempt`: what the running task does next.
 */
export type PaymentEffect =
  | { type: 'run'; task: 'pay' | 'resume' }
  | { type: 'search'; delayMs: number }
  | { type: 'wait' }
  | { type: 'stop-search' }
  | { type: 'poll'; isOften: boolean }
  | { type: 'await-settlement'; txId: string }
  | { type: 'agree' }
  | { type: 'wake' }
  | { type: 'attempt'; next: AttemptEffect }

/** A state and what follows from it. */
export type PaymentTransition = { state: PaymentState; effects: PaymentEffect[] }

const idle: PayStep = { status: 'idle' }

const isPriceChange = ({ step }: PaymentState): boolean =>
  step.status === 'failed' && step.error.code === 'pay.price-changed'

/** Begins a task, unless one runs: a second press joins the first. */
const begin = (state: PaymentState, task: 'pay' | 'resume', searchDelayMs: number): PaymentTransition =>
  state.task
    ? { state, effects: [] }
    : {
        // Whether an earlier attempt may still succeed is what the store says.
        state: { ...state, task, searchDelayMs, search: undefined, attempt: noAttempt },
        effects: [{ type: 'stop-search' }, { type: 'poll', isOften: true }, { type: 'run', task }],
      }

/** Until the service has decided about a paid payment, the order is polled often. */
const settle = (state: PaymentState, step: Extract<PayStep, { status: 'paid' }>): PaymentTransition => ({
  state: { ...state, step, task: undefined, search: undefined },
  effects: [{ type: 'stop-search' }, { type: 'await-settlement', txId: step.txId ?? '' }, { type: 'wake' }],
})

const end = (before: PaymentState, event: Extract<PaymentEvent, { type: 'ended' }>): PaymentTransition => {
  const state: PaymentState = { ...before, attempt: endAttempt(before.attempt, event.hasAttempts) }
  // What fails after a payment does not undo it.
  if (state.step.status === 'paid') return settle(state, state.step)
  const reached = event.failure ?? state.step
  // The payment that was searched for has been returned, so nothing is uncertain any more. A check that led to
  // no other step was one of an earlier attempt.
  const isOver = reached.status === 'checking' || (reached.status === 'uncertain' && !event.hasAttempts)
  const step = isOver ? idle : reached
  const effects: PaymentEffect[] = [{ type: 'poll', isOften: false }]
  if (!event.hasAttempts) {
    return { state: { ...state, step, task: undefined }, effects: [...effects, { type: 'wake' }] }
  }
  // The other tab may close at any moment. Then this one continues.
  const next = event.isBusyElsewhere
    ? ({ search: 'later', effect: { type: 'wait' } } as const)
    : ({ search: 'chain', effect: { type: 'search', delayMs: state.searchDelayMs } } as const)
  return {
    state: { ...state, step, task: undefined, search: next.search },
    effects: [...effects, next.effect, { type: 'wake' }],
  }
}

/** Applies an event to the attempt. What the buyer is shown while the wallet is asked follows from it. */
const advance = (state: PaymentState, event: AttemptEvent): PaymentTransition => {
  const { attempt, effect } = reduceAttempt(state.attempt, event)
  const step: PayStep = effect?.type === 'ask-wallet' ? { status: 'awaiting-signature' } : state.step
  return { state: { ...state, attempt, step }, effects: effect ? [{ type: 'attempt', next: effect }] : [] }
}

/**
 * Applies an event to a payment. Pure: the caller performs the effects in their order.
 *
 * @returns The same state, and no effect, for an event that changes nothing.
 */
export const reduce = (state: PaymentState, event: PaymentEvent): PaymentTransition => {
  const { step, task } = state
  const isDecided = step.status === 'paid'
  const unchanged = { state, effects: [] }
  switch (event.type) {
    case 'pressed':
      return isDecided ? unchanged : begin(state, 'pay', 0)
    case 'opened':
      if (task || (step.status !== 'idle' && step.status !== 'checking')) return unchanged
      // A `checking` step without a task is left over from loading this module.
      return event.hasAttempts ? begin(state, 'resume', 0) : { state: { ...state, step: idle }, effects: [] }
    case 'stepped': {
      if (isDecided || !mayStep(state.attempt, event.step.status)) return unchanged
      const attempt: AttemptState =
        event.step.status === 'broadcast' ? { status: 'sent', txId: event.step.txId } : state.attempt
      return { state: { ...state, step: event.step, attempt }, effects: [] }
    }
    case 'ended':
      return end(state, event)
    case 'found':
      if (task || isDecided) return unchanged
      // Nothing is left that only one tab may do.
      if (event.seen) return settle(state, { status: 'paid', txId: event.seen.txId })
      return begin(state, 'resume', retryMs)
    case 'refused':
      if (step.status !== 'uncertain' || task || event.hasAttempts) return unchanged
      return {
        state: { ...state, step: event.failure, search: undefined, attempt: noAttempt },
        effects: [{ type: 'stop-search' }],
      }
    case 'looked':
      if (step.status !== 'uncertain' || step.error.message === event.error.message) return unchanged
      return { state: { ...state, step: { status: 'uncertain', error: event.error } }, effects: [] }
    case 'settled': {
      const quiet: PaymentEffect = { type: 'poll', isOften: false }
      if (event.isAccepted || !isDecided) return { state, effects: [quiet] }
      const undone = { ...state, step: idle }
      const next = event.hasAttempts ? begin(undone, 'resume', retryMs) : { state: undone, effects: [] }
      return { state: next.state, effects: [quiet, ...next.effects] }
    }
    case 'priced': {
      if (task || step.status === 'uncertain' || isDecided) return unchanged
      if (!event.change)
        return isPriceChange(state) ? { state: { ...state, step: idle }, effects: [] } : unchanged
      if (step.status === 'failed' && step.error.message === event.change.message) return unchanged
      return { state: { ...state, step: { status: 'failed', error: event.change } }, effects: [] }
    }
    case 'reset': {
      if (isPending(step) || step.status === 'uncertain' || isDecided) return unchanged
      const agreed: PaymentEffect[] = isPriceChange(state) ? [{ type: 'agree' }] : []
      return { state: { ...state, step: idle }, effects: [...agreed, { type: 'wake' }] }
    }
    default:
      // Only a running task has an attempt under way.
      return task === 'pay' && !isDecided ? advance(state, event) : unchanged
  }
}
