import type { PaymentAttempt } from '../chain/index.js'
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

/**
 * Creates the engine that pays one order: it performs the effects of the payment's state machine.
 *
 * @param step - The payment's step for all subscribers.
 * @param latest - The latest caller's parameters, whose listener receives the steps.
 */
export const createPayment = (
  step: StepStore,
  latest: { parameters?: PaymentParameters | undefined },
): PaymentEngine => {
  let state: PaymentState = initialState
  let running: Promise<PayStep> | undefined
  let stopSearch = (): void => undefined
  let keeper: QuoteKeeper | undefined
  const keepers: (() => PaymentParameters)[] = []

  const dispatch = (event: PaymentEvent, parameters: PaymentParameters | undefined, press?: Press): void => {
    const { state: next, effects } = reduce({ ...state, step: step.get() }, event)
    state = next
    if (next.step !== step.get()) step.set(next.step)
    // A payment that was never shown has nothing to perform.
    if (parameters) for (const effect of effects) perform(effect, parameters, press)
  }

  /** Runs a task under the order's lock, unless another tab holds it. */
  const run = async (
    parameters: PaymentParameters,
    work: Press['work'],
    isPress: boolean,
  ): Promise<PayStep> => {
    latest.parameters = parameters
    const context: PayContext = {
      ...parameters,
      setStep: (reached) => dispatch({ type: 'stepped', step: reached }, parameters),
      onLateAnswer: (error) =>
        dispatch(
          error === undefined
            ? { type: 'found', seen: getSeen(parameters) }
            : { type: 'refused', failure: toStep(error, parameters), hasAttempts: hasAttempts(parameters) },
          parameters,
        ),
    }
    let isBusyElsewhere = false
    const onBusy = (): void => {
      isBusyElsewhere = true
      if (isPress) throw payError('pay.in-other-tab', {})
    }
    const failure = await withOrderLock(parameters, () => work(context), onBusy).then(
      () => undefined,
      (error: unknown) => toStep(error, parameters),
    )
    running = undefined
    dispatch({ type: 'ended', failure, isBusyElsewhere, hasAttempts: hasAttempts(parameters) }, parameters)
    return step.get()
  }

  const search = (parameters: PaymentParameters, delayMs: number): (() => void) => {
    const onFound = (): void => dispatch({ type: 'found', seen: getSeen(parameters) }, parameters)
    const onLook = (error: ReturnType<typeof uncertain>): void =>
      dispatch({ type: 'looked', error }, parameters)
    const onOver = (attempt: PaymentAttempt): void => {
      parameters.attemptStore.remove(attempt)
      const failure: PayStep = { status: 'failed', error: payError('pay.expired', {}) }
      dispatch({ type: 'refused', failure, hasAttempts: hasAttempts(parameters) }, parameters)
    }
    return watchUncertain(parameters, { onLook, onOver, onFound }, delayMs)
  }

  const settle = async (parameters: PaymentParameters, txId: string): Promise<void> => {
    const settlement = await awaitSettlement(parameters, txId)
    const isAccepted = settlement === 'stands'
    dispatch({ type: 'settled', isAccepted, hasAttempts: hasAttempts(parameters) }, parameters)
  }

  const perform = (effect: PaymentEffect, parameters: PaymentParameters, press?: Press): void => {
    switch (effect.type) {
      case 'run':
        running = run(parameters, press?.work ?? resumeAttempt, press !== undefined)
        break
      case 'search':
        stopSearch = search(parameters, effect.delayMs)
        break
      case 'wait': {
        const retry = (): void => dispatch({ type: 'found', seen: getSeen(parameters) }, parameters)
        const timer = setTimeout(retry, retryMs)
        stopSearch = () => clearTimeout(timer)
        break
      }
      case 'stop-search':
        stopSearch()
        break
      case 'poll': {
        const wire = findWire(parameters.queryClient, parameters.client, parameters.orderId)
        if (wire) wire.isPaying = effect.isOften
        break
      }
      case 'await-settlement':
        void settle(parameters, effect.txId)
        break
      case 'agree':
        agreeToPrice(parameters)
        break
      case 'wake':
        keeper?.wake()
    }
  }

  return {
    pay: async (parameters, options, seen) => {
      // A click during the search for an old attempt applies to the state after the search.
      if (state.task === 'resume') await running
      const work = async (context: PayContext): Promise<void> => {
        context.setStep({ status: 'checking' })
        await keeper?.rest()
        await payOrder(context, options, seen)
      }
      dispatch({ type: 'pressed' }, parameters, { work })
      return (await running) ?? step.get()
    },
    resume: async (parameters) => {
      dispatch({ type: 'opened', hasAttempts: hasAttempts(parameters) }, parameters)
      if (state.task === 'resume') await running
      return step.get()
    },
    keep: (getParameters) => {
      latest.parameters ??= getParameters()
      keepers.push(getParameters)
      const getLatest = (): PaymentParameters => (keepers.at(-1) ?? getParameters)()
      keeper ??= keepQuote(getLatest, {
        isBusy: () => state.task !== undefined || ['uncertain', 'paid'].includes(step.get().status),
        onPrice: (change) => dispatch({ type: 'priced', change }, getLatest()),
      })
      return () => {
        keepers.splice(keepers.indexOf(getParameters), 1)
        if (keepers.length) return
        keeper?.stop()
        keeper = undefined
      }
    },
    reset: () => dispatch({ type: 'reset' }, latest.parameters),
  }
}
