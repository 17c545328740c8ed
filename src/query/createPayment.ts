import { type AnyKassaError, isKassaError, KassaError } from '../api/index.js'
import { isPaymentSeen } from '../order/index.js'
import { awaitSettlement } from './awaitSettlement.js'
import { confirmPayment } from './confirmPayment.js'
import { getFreshOrder, getKnownOrder } from './freshOrder.js'
import { keepQuote, type QuoteKeeper } from './keepQuote.js'
import type { PayContext, PaymentParameters } from './payContext.js'
import type { Payment } from './payment.js'
import { payOrder } from './payOrder.js'
import { isPending, type PayStep } from './payStep.js'
import { isSent, resumePayment } from './resumePayment.js'
import { createStepStore, idle } from './stepStore.js'
import { isUncertain, uncertain } from './uncertain.js'
import { watchUncertain } from './watchUncertain.js'
import { findWire } from './wire.js'
import { withOrderLock } from './withOrderLock.js'

// What was found and could not be taken up, because another tab is at it or the service is away, is tried again
// after a while: it will be found again at once.
const secondTryMs = 5_000

const toKassaError = (error: unknown): AnyKassaError =>
  isKassaError(error)
    ? error
    : new KassaError('pay.wallet-failed', { reason: String(error) }, { cause: error })

const toStep = (error: AnyKassaError, { ledger, orderId }: PaymentParameters): PayStep => {
  if (isUncertain(error)) return { status: 'uncertain', error }
  const open = ledger.list(orderId).at(-1)
  // "Nothing was paid, pay again" would be half of the truth while an earlier attempt may be under way.
  return open && error.remedy === 'pay'
    ? { status: 'uncertain', error: uncertain(open, { cause: error }) }
    : { status: 'failed', error }
}

const markPaying = ({ queryClient, client, orderId }: PaymentParameters, isPaying: boolean): void => {
  const wire = findWire(queryClient, client, orderId)
  if (wire) wire.isPaying = isPaying
}

/** The buyer agrees to the price the order has now. */
const agreeToPrice = (parameters: PaymentParameters): void => {
  const { queryClient, client, orderId } = parameters
  const wire = findWire(queryClient, client, orderId)
  if (wire) wire.agreed = getKnownOrder(parameters)?.quote.totalPrice
}

const hasAttempts = ({ ledger, orderId }: PaymentParameters): boolean => ledger.list(orderId).length > 0

const isError = (step: PayStep, code: AnyKassaError['code']): boolean =>
  step.status === 'failed' && step.error.code === code

/** Takes up an attempt; where the service is away, the chain alone tells of one whose hash is known. */
const resumeAttempt = async (context: PayContext): Promise<unknown> => {
  const sent = context.ledger.list(context.orderId).findLast(isSent)
  const known = getKnownOrder(context)
  try {
    const isSeen = known !== undefined && isPaymentSeen(known)
    return await resumePayment(context, isSeen ? known : await getFreshOrder(context))
  } catch (error) {
    if (!sent || !isKassaError(error) || !error.code.startsWith('api.')) throw error
    return confirmPayment(context, sent)
  }
}

/** The payment of one order, before anybody asked for it. */
export const createPayment = (): Payment => {
  let latest: PaymentParameters | undefined
  const step = createStepStore(() => latest)
  let running: Promise<PayStep> | undefined
  let isResuming = false
  let stopWatch = (): void => undefined
  let keeper: QuoteKeeper | undefined
  const keepers: (() => PaymentParameters)[] = []

  const resume = (parameters: PaymentParameters, delayMs: number): Promise<PayStep> => {
    isResuming = true
    // The tab that pays follows its payment itself.
    const leaveIt = (): void => undefined
    return run(parameters, resumeAttempt, leaveIt, delayMs).finally(() => {
      isResuming = false
    })
  }

  /** What was looked for is found, or a wallet has answered after it was given up. */
  const takeUp = (parameters: PaymentParameters): void => {
    if (!running && step.get().status !== 'paid') void resume(parameters, secondTryMs)
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
    if (step.get().status !== 'paid' || settlement === 'stands') return
    step.set(idle)
    if (settlement === 'reorganised') takeUp(parameters)
  }

  const settle = (parameters: PaymentParameters, delayMs: number): PayStep => {
    running = undefined
    // Nothing is left to be uncertain about: what was looked for has been sent back.
    if (step.get().status === 'uncertain' && !hasAttempts(parameters)) step.set(idle)
    const ended = step.get()
    // Paid is not the end: until the service has decided about it, the order is asked for often.
    if (ended.status === 'paid') void settlePaid(parameters, ended.txId ?? '')
    else markPaying(parameters, false)
    const isOver = ended.status === 'paid' || ended.status === 'idle' || isError(ended, 'pay.in-other-tab')
    if (!isOver && hasAttempts(parameters)) {
      const onLook = (error: ReturnType<typeof uncertain>): void => {
        const shown = step.get()
        const isNews = shown.status === 'uncertain' && shown.error.message !== error.message
        if (isNews) step.set({ status: 'uncertain', error })
      }
      const listener = { onLook, onFound: () => takeUp(parameters) }
      stopWatch = watchUncertain(parameters, listener, delayMs)
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
    latest = parameters
    stopWatch()
    markPaying(parameters, true)
    const context: PayContext = {
      ...parameters,
      setStep: step.set,
      onLateAnswer: (error) => onLateAnswer(parameters, error),
    }
    running = withOrderLock(parameters, () => work(context), onBusyElsewhere)
      .catch((error) => step.set(toStep(toKassaError(error), parameters)))
      .then(() => settle(parameters, delayMs))
    return running
  }

  const refuse = (): never => {
    throw new KassaError('pay.in-other-tab', {})
  }

  return {
    getStep: step.get,
    subscribe: step.subscribe,
    pay: async (parameters, options) => {
      // A click while an old attempt is looked for is meant for what comes after it.
      if (isResuming && (await running)?.status === 'paid') return step.get()
      // Whoever pays after having been told of a new price agrees to it.
      if (isError(step.get(), 'pay.price-changed') && !options?.total) agreeToPrice(parameters)
      const work = async (context: PayContext): Promise<void> => {
        context.setStep({ status: 'checking' })
        await keeper?.rest()
        await payOrder(context, options)
      }
      return run(parameters, work, refuse)
    },
    resume: (parameters) => {
      const isNew = step.get().status === 'idle' && hasAttempts(parameters)
      return isNew ? resume(parameters, 0) : Promise.resolve(step.get())
    },
    keep: (getParameters) => {
      latest ??= getParameters()
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
      if (latest && isError(step.get(), 'pay.price-changed')) agreeToPrice(latest)
      step.set(idle)
      keeper?.wake()
    },
  }
}
