import type { QueryClient } from '@tanstack/react-query'
import { type AnyKassaError, type Client, isKassaError, KassaError } from '../api/index.js'
import { isPaymentCompleted, isPaymentReturned, isPaymentSeen } from '../order/index.js'
import type { Order } from '../schema/index.js'
import { confirmPayment } from './confirmPayment.js'
import { emitEvent } from './event.js'
import { getFreshOrder } from './freshOrder.js'
import { keepQuote, type QuoteKeeper } from './keepQuote.js'
import { orderQueryKey } from './keys.js'
import type { PayContext } from './payContext.js'
import { type PayOptions, payOrder } from './payOrder.js'
import { isPending, type PayStep } from './payStep.js'
import { isSent, resumePayment } from './resumePayment.js'
import { searchPayment } from './searchPayment.js'
import { isUncertain, uncertain } from './uncertain.js'
import { watchOrder } from './watchOrder.js'
import { findWire } from './wire.js'
import { withOrderLock } from './withOrderLock.js'

/** What a payment needs from whoever shows it. */
export type PaymentParameters = Omit<PayContext, 'setStep' | 'onLateAnswer'>

/** The payment of one order: one step that everybody who asks sees, and one way to move it. */
export type Payment = {
  getStep(): PayStep
  subscribe(listener: () => void): () => void
  /** Pays; a call while one is under way joins it. Never rejects: the step tells how it went. */
  pay(parameters: PaymentParameters, options?: PayOptions): Promise<PayStep>
  /** Takes up an attempt that a reload interrupted. Does nothing when there is none. */
  resume(parameters: PaymentParameters): Promise<PayStep>
  /**
   * Renews the quote before it runs out, for as long as somebody shows the payment.
   *
   * @returns Stops; the last one who does ends it.
   */
  keep(getParameters: () => PaymentParameters): () => void
  /** Clears a failure that was shown; after `pay.price-changed` it agrees to the new price. */
  reset(): void
}

const idle: PayStep = { status: 'idle' }

const toKassaError = (error: unknown): AnyKassaError =>
  isKassaError(error)
    ? error
    : new KassaError('pay.wallet-failed', { reason: String(error) }, { cause: error })

const markPaying = ({ queryClient, client, orderId }: PaymentParameters, isPaying: boolean): void => {
  const wire = findWire(queryClient, client, orderId)
  if (wire) wire.isPaying = isPaying
}

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

const createPayment = (): Payment => {
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

  // A payment in a block may still be one the service sends back: too little, or too late.
  const followPaid = async (parameters: PaymentParameters, txId: string): Promise<void> => {
    const { queryClient, client, ledger, orderId } = parameters
    const isSettled = (order: Order): boolean => isPaymentCompleted(order) || isPaymentReturned(order, txId)
    const settled = watchOrder(parameters, isSettled)
    await queryClient.invalidateQueries({ queryKey: orderQueryKey(client, orderId) })
    const order = await settled.promise
    markPaying(parameters, false)
    if (isPaymentCompleted(order)) return ledger.clear(orderId)
    for (const attempt of ledger.list(orderId)) if (attempt.txId === txId) ledger.remove(attempt)
    if (step.status === 'paid') setStep(idle)
  }

  /** Goes on looking for a payment of which nobody knows, until it is found or the buyer chooses. */
  const searchUncertain = (parameters: PaymentParameters): void => {
    const attempt = parameters.ledger.list(parameters.orderId).at(-1)
    if (!attempt) return
    const search = searchPayment(parameters, attempt, (hasOpenTransaction) => {
      const error = uncertain(attempt, { hasOpenTransaction })
      if (step.status === 'uncertain' && step.error.message !== error.message)
        setStep({ status: 'uncertain', error })
    })
    const seen = watchOrder(parameters, isPaymentSeen)
    stopSearch = () => {
      search.stop()
      seen.stop()
    }
    const found = search.promise.then((txId) =>
      parameters.ledger.put({ ...attempt, txId, isDropped: undefined }),
    )
    void Promise.race([found, seen.promise]).then(() => {
      stopSearch()
      if (step.status === 'uncertain') void run(parameters, resumeAttempt, () => undefined)
    })
  }

  /** A wallet has answered after it was given up: the hash is in the ledger, or the attempt is out of it. */
  const onLateAnswer = (parameters: PaymentParameters, error: unknown): void => {
    if (step.status !== 'uncertain' || running) return
    if (error === undefined) void run(parameters, resumeAttempt, () => undefined)
    else if (!parameters.ledger.list(parameters.orderId).length) {
      stopSearch()
      fail(error)
    }
  }

  const settle = (parameters: PaymentParameters): PayStep => {
    running = undefined
    // Nothing is left to be uncertain about: what was looked for has been sent back.
    if (step.status === 'uncertain' && !parameters.ledger.list(parameters.orderId).length) setStep(idle)
    // Paid is not the end: until the service has seen it, the order is asked for often.
    if (step.status === 'paid') void followPaid(parameters, step.txId ?? '')
    else markPaying(parameters, false)
    if (step.status === 'uncertain') searchUncertain(parameters)
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
      if (step.status !== 'idle' || !parameters.ledger.list(parameters.orderId).length)
        return Promise.resolve(step)
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

const payments = new WeakMap<QueryClient, Map<string, Payment>>()

/** The payment of an order: the same one for every component, hook and function that asks. */
export const getPayment = (queryClient: QueryClient, client: Client, orderId: string): Payment => {
  const byOrder = payments.get(queryClient) ?? new Map<string, Payment>()
  payments.set(queryClient, byOrder)
  const key = `${client.baseUrl} ${orderId}`
  const payment = byOrder.get(key) ?? createPayment()
  byOrder.set(key, payment)
  return payment
}
