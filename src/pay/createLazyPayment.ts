import { isPending } from '../engine/payment/payStep.js'
import type { KassaError } from '../errors/KassaError.js'
import { loadError } from '../errors/loadError.js'
import { isPaymentSeen } from '../order/payment.js'
import { getKnownOrder } from '../query/knownOrder.js'
import { agreeToPrice } from './agreeToPrice.js'
import type { Payment, PaymentEngine } from './createPayment.js'
import type { PaymentParameters } from './payContext.js'
import { getSeenOrder } from './seenOrder.js'
import { createStepStore, idle } from './stepStore.js'

/** A component that shows a payment, and how to stop keeping its quote. */
type Showing = { getParameters(): PaymentParameters; stop?: (() => void) | undefined }

/**
 * Creates the payment of one order before it is first used. The module that checks, signs and follows
 * payments loads while the buyer looks at the price, so pages that only show an order never load it.
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
        // The next press of the button retries the load.
        loading = undefined
        return loadError('api.not-loaded', {}, { cause })
      },
    )
    return loading
  }

  /** Calls the engine, at once if it has loaded. Until then the step is `checking`. */
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
      // Paying after a price change was shown accepts the new price.
      const shown = step.get()
      if (shown.status === 'failed' && shown.error.code === 'pay.price-changed' && !options?.total)
        agreeToPrice(parameters)
      // Read now, because the price may change while the engine loads.
      const seen = getSeenOrder(parameters, options?.total)
      return ask(({ pay }) => pay(parameters, options, seen))
    },
    resume: async (parameters) =>
      parameters.attemptStore.list(parameters.orderId).length
        ? ask(({ resume }) => resume(parameters))
        : step.get(),
    keep: (getParameters) => {
      latest.parameters ??= getParameters()
      const showing: Showing = { getParameters, stop: engine?.keep(getParameters) }
      showings.add(showing)
      const known = getKnownOrder(getParameters())
      // A failed load is reported when the buyer pays. A paid order needs no engine.
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
