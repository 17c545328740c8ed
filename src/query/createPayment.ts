import { type AnyKassaError, isKassaError, KassaError } from '../api/index.js'
import type { Order } from '../schema/index.js'
import { awaitSettlement } from './awaitSettlement.js'
import { confirmPayment } from './confirmPayment.js'
import { emitEvent } from './event.js'
import { getFreshOrder } from './freshOrder.js'
import { keepQuote, type QuoteKeeper } from './keepQuote.js'
import { orderQueryKey } from './keys.js'
import type { PayContext, PaymentParameters } from './payContext.js'
import type { Payment } from './payment.js'
import { payOrder } from './payOrder.js'
import { isPending, type PayStep } from './payStep.js'
import { isSent, resumePayment } from './resumePayment.js'
import { isUncertain } from './uncertain.js'
import { watchUncertain } from './watchUncertain.js'
import { findWire } from './wire.js'
import { withOrderLock } from './withOrderLock.js'

const idle: PayStep = { status: 'idle' }

const toKassaError = (error: unknown): AnyKassaError =>
  isKassaError(error)
    ? error
    : new KassaError('pay.wallet-failed', { reason: String(error) }, { cause: error })

const markPaying = ({ queryClient, client, orderId }: PaymentParameters, isPaying: boolean): void => {
  const wire = findWire(queryClient, client, orderId)
  if (wire) wire.isPaying = isPaying
}

const hasAttempts = ({ ledger, orderId }: PaymentParameters): boolean => ledger.list(orderId).length > 0

const refuse = (): never => {
  throw new KassaError('pay.in-other-tab', {})
}

/** Takes up an attempt; where the service is away, the chain alone tells of one whose hash is known. */
const resumeAttempt = async (context: PayContext): Promise<unknown> => {
  const sent = context.ledger.list(context.orderId).findLast(isSent)
  try {
    return await resumePayment(context, await getFreshOrder(context))
  } catch (error) {
    if (!sent || !isKassaError(error) || !error.code.startsWith('api.')) throw error
    return confirmPayment(context, sent)
  }
}

/** The payment of one order, before anybody asked for it. */
export const createPayment = (): Payment => {
  let step: PayStep = idle
  let running: Promise<PayStep> | undefined
  let isResuming = false
  let keeper: QuoteKeeper | undefined
  let keepers = 0
  let latest: PaymentParameters | undefined
  let stopSearch = (): void => undefined
  const listeners = new Set<() => void>()

  const setStep = (next: PayStep): void => {
    const from = step.status
    step = next
    for (const listener of listeners) listener()
    if (!latest) return
    const { orderId, onEvent, now } = latest
    const code = 'error' in next ? next.error.code : undefined
    const txId = 'txId' in next ? next.txId : undefined
    emitEvent(onEvent, { type: 'payment.step', orderId, from, to: next.status, code, txId, atMs: now() })
  }

  const fail = (thrown: unknown): void => {
    const error = toKassaError(thrown)
    setStep(isUncertain(error) ? { status: 'uncertain', error } : { status: 'failed', error })
  }

  const isPriceChange = (): boolean => step.status === 'failed' && step.error.code === 'pay.price-changed'

  const agreeToPrice = (): void => {
    if (!latest) return
    const { queryClient, client, orderId } = latest
    const wire = findWire(queryClient, client, orderId)
    if (wire) {
      wire.agreed = queryClient.getQueryData<Order>(orderQueryKey(client, orderId))?.quote.totalPrice
    }
  }

  const resumeUnlessBusy = (parameters: PaymentParameters): void => {
    if ((step.status === 'uncertain' || step.status === 'failed') && !running)
      void run(parameters, resumeAttempt, () => undefined)
  }

  /** A wallet has answered after it was given up: the hash is in the ledger, or the attempt is out of it. */
  const onLateAnswer = (parameters: PaymentParameters, error: unknown): void => {
    if (error === undefined) {
      resumeUnlessBusy(parameters)
    } else if (step.status === 'uncertain' && !running && !hasAttempts(parameters)) {
      stopSearch()
      fail(error)
    }
  }

  const settlePaid = async (parameters: PaymentParameters, txId: string): Promise<void> => {
    const isStanding = await awaitSettlement(parameters, txId)
    markPaying(parameters, false)
    if (!isStanding && step.status === 'paid') setStep(idle)
  }

  const settle = (parameters: PaymentParameters): PayStep => {
    running = undefined
    // Nothing is left to be uncertain about: what was looked for has been sent back.
    if (step.status === 'uncertain' && !hasAttempts(parameters)) setStep(idle)
    // Paid is not the end: until the service has decided about it, the order is asked for often.
    if (step.status === 'paid') void settlePaid(parameters, step.txId ?? '')
    else markPaying(parameters, false)
    if (step.status === 'uncertain') {
      stopSearch = watchUncertain(parameters, {
        onLook: (error) => {
          const isNews = step.status === 'uncertain' && step.error.message !== error.message
          if (isNews) setStep({ status: 'uncertain', error })
        },
        onFound: () => resumeUnlessBusy(parameters),
      })
    }
    keeper?.wake()
    return step
  }

  const run = (
    parameters: PaymentParameters,
    work: (context: PayContext) => Promise<unknown>,
    onBusyElsewhere: () => void,
  ): Promise<PayStep> => {
    if (running) return running
    latest = parameters
    stopSearch()
    markPaying(parameters, true)
    const context: PayContext = {
      ...parameters,
      setStep,
      onLateAnswer: (error) => onLateAnswer(parameters, error),
    }
    running = withOrderLock(parameters, () => work(context), onBusyElsewhere)
      .catch(fail)
      .then(() => settle(parameters))
    return running
  }

  return {
    getStep: () => step,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    pay: async (parameters, options) => {
      // A click while an old attempt is looked for is meant for what comes after it.
      if (isResuming && (await running)?.status === 'paid') return step
      latest = parameters
      // Whoever pays after having been told of a new price agrees to it.
      if (isPriceChange() && !options?.total) agreeToPrice()
      return run(parameters, (context) => payOrder(context, options), refuse)
    },
    resume: (parameters) => {
      if (step.status !== 'idle' || !hasAttempts(parameters)) return Promise.resolve(step)
      isResuming = true
      // The tab that pays follows its payment itself.
      return run(parameters, resumeAttempt, () => undefined).finally(() => {
        isResuming = false
      })
    },
    keep: (getParameters) => {
      latest ??= getParameters()
      keepers += 1
      keeper ??= keepQuote(getParameters, {
        isBusy: () => running !== undefined || step.status === 'uncertain' || step.status === 'paid',
        onPrice: (error) => {
          if (!error) return isPriceChange() ? setStep(idle) : undefined
          const isTold = step.status === 'failed' && step.error.message === error.message
          if (!isTold) setStep({ status: 'failed', error })
        },
      })
      return () => {
        keepers -= 1
        if (keepers) return
        keeper?.stop()
        keeper = undefined
      }
    },
    reset: () => {
      if (isPending(step) || step.status === 'uncertain') return
      if (isPriceChange()) agreeToPrice()
      setStep(idle)
      keeper?.wake()
    },
  }
}
