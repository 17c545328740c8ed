import type { QueryClient } from '@tanstack/react-query'
import { type AnyKassaError, type Client, isKassaError, KassaError } from '../api/index.js'
import { isPaymentCompleted, isPaymentReturned } from '../order/index.js'
import type { Order } from '../schema/index.js'
import { confirmPayment } from './confirmPayment.js'
import { getFreshOrder } from './freshOrder.js'
import { orderQueryKey } from './keys.js'
import type { PayContext } from './payContext.js'
import { payOrder } from './payOrder.js'
import { isPending, type PayStep } from './payStep.js'
import { resumePayment } from './resumePayment.js'
import { watchOrder } from './watchOrder.js'
import { findWire } from './wire.js'

/** What a payment needs from whoever shows it. */
export type PaymentParameters = Omit<PayContext, 'setStep'>

/** How a payment is to be made. */
export type PayOptions = {
  /** The buyer has looked in the wallet and chooses to pay although an earlier attempt never came back. */
  isAgain?: boolean | undefined
}

/** The payment of one order: one step that everybody who asks sees, and one way to move it. */
export type Payment = {
  getStep(): PayStep
  subscribe(listener: () => void): () => void
  /** Pays; a call while one is under way joins it. Never rejects: the step tells how it went. */
  pay(parameters: PaymentParameters, options?: PayOptions): Promise<PayStep>
  /** Takes up an attempt that a reload interrupted. Does nothing when there is none. */
  resume(parameters: PaymentParameters): Promise<PayStep>
  /** Clears a failure that was shown. A payment under way goes on. */
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

const withLock = async (
  { locks, orderId }: PaymentParameters,
  work: () => Promise<unknown>,
  onBusyElsewhere: () => void,
): Promise<unknown> => {
  if (!locks) return work()
  let isAnswered = false
  try {
    return await locks.request(`kassa.order.${orderId}`, { ifAvailable: true }, (lock) => {
      isAnswered = true
      return lock ? work() : onBusyElsewhere()
    })
  } catch (error) {
    if (isAnswered) throw error
    // A sandboxed frame has locks and forbids them: nothing can be locked there, but everything can be paid.
    return work()
  }
}

/** Takes up an attempt; where the service is away, the chain alone tells of one whose hash is known. */
const resumeAttempt = async (context: PayContext): Promise<unknown> => {
  const attempt = context.ledger.get(context.orderId)
  try {
    return await resumePayment(context, await getFreshOrder(context))
  } catch (error) {
    if (attempt?.txId === undefined || !isKassaError(error) || !error.code.startsWith('api.')) throw error
    return confirmPayment(context, { ...attempt, txId: attempt.txId })
  }
}

const createPayment = (): Payment => {
  let step: PayStep = idle
  let running: Promise<PayStep> | undefined
  let isResuming = false
  const listeners = new Set<() => void>()

  const setStep = (next: PayStep): void => {
    step = next
    for (const listener of listeners) listener()
  }

  // A payment in a block may still be one the service sends back: too little, or too late.
  const followPaid = async (parameters: PaymentParameters, txId: string): Promise<void> => {
    const { queryClient, client, ledger, orderId } = parameters
    const isSettled = (order: Order): boolean => isPaymentCompleted(order) || isPaymentReturned(order, txId)
    const settled = watchOrder(parameters, isSettled)
    await queryClient.invalidateQueries({ queryKey: orderQueryKey(client, orderId) })
    const order = await settled.promise
    markPaying(parameters, false)
    ledger.remove(orderId)
    if (!isPaymentCompleted(order)) setStep(idle)
  }

  const run = (
    parameters: PaymentParameters,
    work: (context: PayContext) => Promise<unknown>,
    onBusyElsewhere: () => void,
  ): Promise<PayStep> => {
    if (running) return running
    markPaying(parameters, true)
    running = withLock(parameters, () => work({ ...parameters, setStep }), onBusyElsewhere)
      .catch((thrown: unknown) => {
        const error = toKassaError(thrown)
        setStep({ status: error.code === 'pay.uncertain' ? 'uncertain' : 'failed', error })
      })
      .then(() => {
        running = undefined
        // Paid is not the end: until the service has seen it, the order is asked for often.
        if (step.status === 'paid') void followPaid(parameters, step.txId ?? '')
        else markPaying(parameters, false)
        return step
      })
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
      return run(parameters, (context) => payOrder(context, options), refuse)
    },
    resume: (parameters) => {
      if (step.status !== 'idle' || !parameters.ledger.get(parameters.orderId)) return Promise.resolve(step)
      isResuming = true
      // The tab that pays follows its payment itself.
      return run(parameters, resumeAttempt, () => undefined).finally(() => {
        isResuming = false
      })
    },
    reset: () => {
      if (!isPending(step)) setStep(idle)
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
