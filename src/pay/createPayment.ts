import type { AttemptEffect } from '../engine/payment/attempt.js'
import type { PayStep } from '../engine/payment/payStep.js'
import {
  initialState,
  type PaymentEffect,
  type PaymentEvent,
  type PaymentState,
  reduce,
  retryMs,
} from '../engine/payment/reduce.js'
import { type AnyKassaError, isKassaError } from '../errors/KassaError.js'
import { payError } from '../errors/payError.js'
import { isPaymentSeen } from '../order/payment.js'
import { getKnownOrder } from '../query/knownOrder.js'
import { findWire } from '../query/wire.js'
import { agreeToPrice } from './agreeToPrice.js'
import { awaitSettlement } from './awaitSettlement.js'
import { keepQuote, type QuoteKeeper } from './keepQuote.js'
import type { PayContext, PaymentParameters } from './payContext.js'
import type { PayOptions } from './payOrder.js'
import { payOrder } from './payOrder.js'
import { resumeAttempt } from './resumeAttempt.js'
import type { SeenOrder } from './seenOrder.js'
import type { StepStore } from './stepStore.js'
import { isUncertain, uncertain } from './uncertain.js'
import { watchUncertain } from './watchUncertain.js'
import { withOrderLock } from './withOrderLock.js'

// Loaded together, because a transfer, the network's fee and a balance need much of the same code, and a chunk more would
// cost every page a little.
export { estimateFee } from '../chain/evm/estimateFee.js'
export { readBalance } from '../chain/evm/readBalance.js'
export { openFamily } from './openFamily.js'

/** The payment of one order: one step that all subscribers share, and the functions that change it. */
export type Payment = {
  getStep(): PayStep
  subscribe(listener: () => void): () => void
  /** Pays. A call during a payment joins it. Never rejects; the step shows the outcome. */
  pay(parameters: PaymentParameters, options?: PayOptions): Promise<PayStep>
  /** Resumes an attempt that a reload interrupted. Does nothing without one. */
  resume(parameters: PaymentParameters): Promise<PayStep>
  /**
   * Renews the quote before it expires, while any component shows the payment.
   *
   * @returns A function that stops; the renewal ends with the last caller.
   */
  keep(getParameters: () => PaymentParameters): () => void
  /**
   * Clears a failure that was shown. After `pay.price-changed` it accepts the new price. Does nothing while a
   * payment is in progress or may be on its way, nor after it.
   */
  reset(): void
}

/** The functions of a payment without its shared state. */
export type PaymentEngine = Omit<Payment, 'getStep' | 'subscribe' | 'pay'> & {
  /** Pays the order that the buyer saw when pressing the button, which may be a while before this call. */
  pay(parameters: PaymentParameters, options: PayOptions | undefined, seen: SeenOrder): Promise<PayStep>
}

/** Converts any thrown value to the library's error. */
const toKassaError = (error: unknown): AnyKassaError =>
  isKassaError(error) ? error : payError('pay.wallet-failed', { reason: String(error) }, { cause: error })

/** Returns the step that follows from an error. */
const toStep = (thrown: unknown, { attemptStore, orderId }: PaymentParameters): PayStep => {
  const error = toKassaError(thrown)
  if (isUncertain(error)) return { status: 'uncertain', error }
  const open = attemptStore.list(orderId).at(-1)
  // "Nothing was paid, pay again" would be wrong while an earlier attempt may be on its way.
  return open && error.remedy === 'pay'
    ? { status: 'uncertain', error: uncertain(open, { cause: error }) }
    : { status: 'failed', error }
}

/** Whether any attempt may be on its way. */
const hasAttempts = ({ attemptStore, orderId }: PaymentParameters): boolean =>
  attemptStore.list(orderId).length > 0

/** Returns the hash of the payment that the service has seen; undefined if it has seen none. */
const getSeen = (parameters: PaymentParameters): { txId: string | undefined } | undefined => {
  const known = getKnownOrder(parameters)
  return known && isPaymentSeen(known) ? { txId: known.payment.received?.txId } : undefined
}

/** A task that a press of the button starts, with what the buyer saw at that moment. */
type Press = { work(context: PayContext): Promise<unknown> }

/** The payment of one order, between its state machine and the world. */
type Machine = {
  /** The payment's step for all subscribers. */
  step: StepStore
  /** The latest caller's parameters, whose listener receives the steps. */
  latest: { parameters?: PaymentParameters | undefined }
  state: PaymentState
  running?: Promise<PayStep> | undefined
  stopSearch(): void
  keeper?: QuoteKeeper | undefined
}

/**
 * Applies an event to the payment, and performs what follows.
 *
 * @returns What the running task does next, if the event was of its attempt.
 */
const dispatch = (
  machine: Machine,
  event: PaymentEvent,
  parameters: PaymentParameters | undefined,
  press?: Press,
): AttemptEffect | undefined => {
  const { step } = machine
  const { state, effects } = reduce({ ...machine.state, step: step.get() }, event)
  machine.state = state
  if (state.step !== step.get()) step.set(state.step)
  let next: AttemptEffect | undefined
  for (const effect of effects) {
    if (effect.type === 'attempt') next = effect.next
    // A payment that was never shown has nothing to perform.
    else if (parameters) perform(machine, effect, parameters, press)
  }
  return next
}

/** Runs a task under the order's lock, unless another tab holds it. */
const run = async (machine: Machine, parameters: PaymentParameters, press?: Press): Promise<PayStep> => {
  machine.latest.parameters = parameters
  const context: PayContext = {
    ...parameters,
    setStep: (step) => void dispatch(machine, { type: 'stepped', step }, parameters),
    decide: (event) => dispatch(machine, event, parameters),
    onLateAnswer: (error) => {
      const event: PaymentEvent =
        error === undefined
          ? { type: 'found', seen: getSeen(parameters) }
          : { type: 'refused', failure: toStep(error, parameters), hasAttempts: hasAttempts(parameters) }
      dispatch(machine, event, parameters)
    },
  }
  let isBusyElsewhere = false
  const onBusy = (): void => {
    isBusyElsewhere = true
    if (press) throw payError('pay.in-other-tab', {})
  }
  const work = press?.work ?? resumeAttempt
  const failure = await withOrderLock(parameters, () => work(context), onBusy).then(
    () => undefined,
    (error: unknown) => toStep(error, parameters),
  )
  machine.running = undefined
  const ended: PaymentEvent = {
    type: 'ended',
    failure,
    isBusyElsewhere,
    hasAttempts: hasAttempts(parameters),
  }
  dispatch(machine, ended, parameters)
  return machine.step.get()
}

/** Looks for every open attempt, until one is found or proved never to succeed. */
const search = (machine: Machine, parameters: PaymentParameters, delayMs: number): (() => void) =>
  watchUncertain(
    parameters,
    {
      onFound: () => dispatch(machine, { type: 'found', seen: getSeen(parameters) }, parameters),
      onLook: (error) => dispatch(machine, { type: 'looked', error }, parameters),
      onOver: (attempt) => {
        parameters.attemptStore.remove(attempt)
        const failure: PayStep = { status: 'failed', error: payError('pay.expired', {}) }
        dispatch(machine, { type: 'refused', failure, hasAttempts: hasAttempts(parameters) }, parameters)
      },
    },
    delayMs,
  )

const settle = async (machine: Machine, parameters: PaymentParameters, txId: string): Promise<void> => {
  const isAccepted = (await awaitSettlement(parameters, txId)) === 'stands'
  dispatch(machine, { type: 'settled', isAccepted, hasAttempts: hasAttempts(parameters) }, parameters)
}

/** Performs what follows from an event, except what the running task does. */
const perform = (
  machine: Machine,
  effect: Exclude<PaymentEffect, { type: 'attempt' }>,
  parameters: PaymentParameters,
  press?: Press,
): void => {
  switch (effect.type) {
    case 'run':
      machine.running = run(machine, parameters, press)
      break
    case 'search':
      machine.stopSearch = search(machine, parameters, effect.delayMs)
      break
    case 'wait': {
      const retry = () => dispatch(machine, { type: 'found', seen: getSeen(parameters) }, parameters)
      const timer = setTimeout(retry, retryMs)
      machine.stopSearch = () => clearTimeout(timer)
      break
    }
    case 'stop-search':
      machine.stopSearch()
      break
    case 'poll': {
      const wire = findWire(parameters.queryClient, parameters.client, parameters.orderId)
      if (wire) wire.isPaying = effect.isOften
      break
    }
    case 'await-settlement':
      void settle(machine, parameters, effect.txId)
      break
    case 'agree':
      agreeToPrice(parameters)
      break
    case 'wake':
      machine.keeper?.wake()
  }
}

/**
 * Creates the engine that pays one order: it performs the effects of the payment's state machine.
 *
 * @param step - The payment's step for all subscribers.
 * @param latest - The latest caller's parameters, whose listener receives the steps.
 */
export const createPayment = (step: StepStore, latest: Machine['latest']): PaymentEngine => {
  const machine: Machine = { step, latest, state: initialState, stopSearch: () => undefined }
  const keepers: (() => PaymentParameters)[] = []

  const keep = (getParameters: () => PaymentParameters): (() => void) => {
    latest.parameters ??= getParameters()
    keepers.push(getParameters)
    const getLatest = (): PaymentParameters => (keepers.at(-1) ?? getParameters)()
    machine.keeper ??= keepQuote(getLatest, {
      isBusy: () => machine.state.task !== undefined || ['uncertain', 'paid'].includes(step.get().status),
      onPrice: (change) => void dispatch(machine, { type: 'priced', change }, getLatest()),
    })
    return () => {
      keepers.splice(keepers.indexOf(getParameters), 1)
      if (keepers.length) return
      machine.keeper?.stop()
      machine.keeper = undefined
    }
  }

  return {
    keep,
    pay: async (parameters, options, seen) => {
      // A click during the search for an old attempt applies to the state after the search.
      if (machine.state.task === 'resume') await machine.running
      const work = async (context: PayContext): Promise<void> => {
        context.setStep({ status: 'checking' })
        await machine.keeper?.rest()
        await payOrder(context, options, seen)
      }
      dispatch(machine, { type: 'pressed' }, parameters, { work })
      return (await machine.running) ?? step.get()
    },
    resume: async (parameters) => {
      dispatch(machine, { type: 'opened', hasAttempts: hasAttempts(parameters) }, parameters)
      if (machine.state.task === 'resume') await machine.running
      return step.get()
    },
    reset: () => void dispatch(machine, { type: 'reset' }, latest.parameters),
  }
}
