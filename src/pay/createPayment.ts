import { payError } from '../errors/payError.js'
import { isPaymentSeen } from '../order/payment.js'
import { getKnownOrder } from '../query/knownOrder.js'
import { agreeToPrice } from './agreeToPrice.js'
import { awaitSettlement } from './awaitSettlement.js'
import { keepQuote, type QuoteKeeper } from './keepQuote.js'
import type { PayContext, PaymentParameters } from './payContext.js'
import type { PaymentEngine } from './payment.js'
import { hasAttempts, isError, markPaying, toKassaError, toStep } from './paymentState.js'
import { payOrder } from './payOrder.js'
import { isPending, type PayStep } from './payStep.js'
import { resumeAttempt } from './resumeAttempt.js'
import { idle, type StepStore } from './stepStore.js'
import type { uncertain } from './uncertain.js'
import { watchUncertain } from './watchUncertain.js'
import { withOrderLock } from './withOrderLock.js'

// A found payment that could not be resumed, because another tab holds it or the service is unavailable, is
// retried after this time.
const secondTryMs = 5_000

/**
 * Creates the engine that pays one order.
 *
 * @param step - The payment's step for all subscribers.
 * @param latest - The latest caller's parameters, whose listener receives the steps.
 */
export const createPayment = (
  step: StepStore,
  latest: { parameters?: PaymentParameters | undefined },
): PaymentEngine => {
  let running: Promise<PayStep> | undefined
  let isResuming = false
  let stopWatch = (): void => undefined
  let keeper: QuoteKeeper | undefined
  const keepers: (() => PaymentParameters)[] = []

  /**
   * Resumes the payment, unless another tab does.
   *
   * @param delayMs - How long to wait before searching again if resuming fails.
   */
  const resume = (parameters: PaymentParameters, delayMs: number): Promise<PayStep> => {
    isResuming = true
    const leaveIt = (): void => undefined
    return run(parameters, resumeAttempt, leaveIt, delayMs).finally(() => {
      isResuming = false
    })
  }

  /** Resumes after the search found the payment, or after a wallet answered late. */
  const takeUp = (parameters: PaymentParameters): void => {
    if (running || step.get().status === 'paid') return
    const known = getKnownOrder(parameters)
    if (known && isPaymentSeen(known)) {
      // No task that only one tab may do is left.
      stopWatch()
      step.set({ status: 'paid', txId: known.payment.received?.txId })
      settle(parameters, 0, false)
    } else {
      void resume(parameters, secondTryMs)
    }
  }

  /** The other tab may close at any moment; then this one continues. */
  const takeUpLater = (parameters: PaymentParameters): void => {
    const timer = setTimeout(() => takeUp(parameters), secondTryMs)
    stopWatch = () => clearTimeout(timer)
  }

  const onLateAnswer = (parameters: PaymentParameters, error: unknown): void => {
    if (error === undefined) {
      takeUp(parameters)
    } else if (step.get().status === 'uncertain' && !running && !hasAttempts(parameters)) {
      stopWatch()
      step.set(toStep(toKassaError(error), parameters))
    }
  }

  const settlePaid = async (parameters: PaymentParameters, txId: string): Promise<void> => {
    const settlement = await awaitSettlement(parameters, txId)
    markPaying(parameters, false)
    if (settlement === 'stands') return
    step.set(idle)
    if (hasAttempts(parameters)) void resume(parameters, secondTryMs)
  }

  const watch = (parameters: PaymentParameters, delayMs: number): void => {
    const onLook = (error: ReturnType<typeof uncertain>): void => {
      const shown = step.get()
      const isNews = shown.status === 'uncertain' && shown.error.message !== error.message
      if (isNews) step.set({ status: 'uncertain', error })
    }
    stopWatch = watchUncertain(parameters, { onLook, onFound: () => takeUp(parameters) }, delayMs)
  }

  const settle = (parameters: PaymentParameters, delayMs: number, isBusyElsewhere: boolean): PayStep => {
    running = undefined
    // The payment that was searched for has been returned, so nothing is uncertain any more.
    if (step.get().status === 'uncertain' && !hasAttempts(parameters)) step.set(idle)
    const ended = step.get()
    // Until the service has decided about a paid payment, the order is polled often.
    if (ended.status === 'paid') {
      void settlePaid(parameters, ended.txId ?? '')
    } else {
      markPaying(parameters, false)
      if (hasAttempts(parameters)) {
        if (isBusyElsewhere) takeUpLater(parameters)
        else watch(parameters, delayMs)
      }
    }
    keeper?.wake()
    return step.get()
  }

  const run = (
    parameters: PaymentParameters,
    work: (context: PayContext) => Promise<unknown>,
    onBusyElsewhere: () => void,
    delayMs = 0,
  ): Promise<PayStep> => {
    if (running) return running
    latest.parameters = parameters
    stopWatch()
    markPaying(parameters, true)
    const context: PayContext = {
      ...parameters,
      setStep: step.set,
      onLateAnswer: (error) => onLateAnswer(parameters, error),
    }
    let isBusyElsewhere = false
    const onBusy = (): void => {
      isBusyElsewhere = true
      onBusyElsewhere()
    }
    running = withOrderLock(parameters, () => work(context), onBusy)
      .catch((error) => step.set(toStep(toKassaError(error), parameters)))
      .then(() => settle(parameters, delayMs, isBusyElsewhere))
    return running
  }

  const refuse = (): never => {
    throw payError('pay.in-other-tab', {})
  }

  return {
    pay: async (parameters, options, seen) => {
      // A click during the search for an old attempt applies to the state after the search.
      if (isResuming) await running
      if (step.get().status === 'paid') return step.get()
      const work = async (context: PayContext): Promise<void> => {
        context.setStep({ status: 'checking' })
        await keeper?.rest()
        await payOrder(context, options, seen)
      }
      return run(parameters, work, refuse)
    },
    resume: async (parameters) => {
      // A "checking" step without a running payment is left over from loading this module.
      const isNew = ['idle', 'checking'].includes(step.get().status) && !running && hasAttempts(parameters)
      if (isNew) await resume(parameters, 0)
      if (step.get().status === 'checking' && !running) step.set(idle)
      return step.get()
    },
    keep: (getParameters) => {
      latest.parameters ??= getParameters()
      keepers.push(getParameters)
      keeper ??= keepQuote(() => (keepers.at(-1) ?? getParameters)(), {
        isBusy: () => running !== undefined || ['uncertain', 'paid'].includes(step.get().status),
        onPrice: (error) => {
          const shown = step.get()
          if (!error) return isError(shown, 'pay.price-changed') ? step.set(idle) : undefined
          const isTold = shown.status === 'failed' && shown.error.message === error.message
          if (!isTold) step.set({ status: 'failed', error })
        },
      })
      return () => {
        keepers.splice(keepers.indexOf(getParameters), 1)
        if (keepers.length) return
        keeper?.stop()
        keeper = undefined
      }
    },
    reset: () => {
      const { status } = step.get()
      if (isPending(step.get()) || status === 'uncertain' || status === 'paid') return
      const { parameters } = latest
      if (parameters && isError(step.get(), 'pay.price-changed')) agreeToPrice(parameters)
      step.set(idle)
      keeper?.wake()
    },
  }
}
