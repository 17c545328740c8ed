import { apiError } from '../errors/apiError.js'
import type { KassaError } from '../errors/KassaError.js'
import { isPaymentSeen } from '../order/payment.js'
import { agreeToPrice } from './agreeToPrice.js'
import { getKnownOrder } from './knownOrder.js'
import type { PaymentParameters } from './payContext.js'
import type { Payment, PaymentEngine } from './payment.js'
import { isPending } from './payStep.js'
import { getSeenOrder } from './seenOrder.js'
import { createStepStore, idle } from './stepStore.js'

/** Who shows a payment, and how it stops once the engine keeps its quote. */
type Showing = { getParameters(): PaymentParameters; stop?: (() => void) | undefined }

/**
 * The payment of one order, before anybody asked for it. What checks, signs and follows payments is a module of its
 * own: it loads while the buyer looks at the price, and stays away from pages that only show an order.
 */
export const createLazyPayment = (): Payment => {
  const latest: { parameters?: PaymentParameters | undefined } = {}
  const step = createStepStore(() => latest.parameters)
  const showings = new Set<Showing>()
  let engine: PaymentEngine | undefined
  let loading: Promise<PaymentEngine | KassaError<'api.not-loaded'>> | undefined

  const load = () => {
    loading ??= import('./createPayment.js').then(
      ({ createPayment }) => {
        const loaded = createPayment(step, latest)
        engine = loaded
        for (const showing of showings) showing.stop = loaded.keep(showing.getParameters)
        return loaded
      },
      (cause) => {
        // Not for good: the next press of the button asks for it again.
        loading = undefined
        return apiError('api.not-loaded', {}, { cause })
      },
    )
    return loading
  }

  /** Has the engine do something, at once if it is there; until then the payment is being checked. */
  const ask = async (
    work: (engine: PaymentEngine) => Promise<unknown>,
  ): Promise<ReturnType<typeof step.get>> => {
    if (!engine) step.set({ status: 'checking' })
    const loaded = engine ?? (await load())
    if (loaded instanceof Error) step.set({ status: 'failed', error: loaded })
    else await work(loaded)
    return step.get()
  }

  return {
    getStep: step.get,
    subscribe: step.subscribe,
    pay: (parameters, options) => {
      latest.parameters ??= parameters
      // Whoever pays after having been told of a new price agrees to it.
      const shown = step.get()
      if (shown.status === 'failed' && shown.error.code === 'pay.price-changed' && !options?.total)
        agreeToPrice(parameters)
      // Now, and not once the engine is there: the price may move meanwhile.
      const seen = getSeenOrder(parameters, options?.total)
      return ask(({ pay }) => pay(parameters, options, seen))
    },
    resume: async (parameters) =>
      parameters.ledger.list(parameters.orderId).length
        ? ask(({ resume }) => resume(parameters))
        : step.get(),
    keep: (getParameters) => {
      latest.parameters ??= getParameters()
      const showing: Showing = { getParameters, stop: engine?.keep(getParameters) }
      showings.add(showing)
      const known = getKnownOrder(getParameters())
      // Where it cannot be loaded, whoever pays hears of it; and nobody pays what is paid.
      if (!engine && !(known && isPaymentSeen(known))) void load()
      return () => {
        showings.delete(showing)
        showing.stop?.()
      }
    },
    reset: () => {
      if (engine) engine.reset()
      else if (!isPending(step.get())) step.set(idle)
    },
  }
}
