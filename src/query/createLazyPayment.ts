import { apiError } from '../errors/apiError.js'
import type { KassaError } from '../errors/KassaError.js'
import type { PaymentEngine } from './createPayment.js'
import type { PaymentParameters } from './payContext.js'
import type { Payment } from './payment.js'
import { createStepStore, idle } from './stepStore.js'

/**
 * The payment of one order, before anybody asked for it. What checks, signs and follows payments is a module of its
 * own: it loads while the buyer looks at the price, and stays away from pages that only show an order.
 */
export const createLazyPayment = (): Payment => {
  const latest: { parameters?: PaymentParameters | undefined } = {}
  const step = createStepStore(() => latest.parameters)
  let engine: PaymentEngine | undefined
  let loading: Promise<PaymentEngine | KassaError<'api.not-loaded'>> | undefined

  const load = () => {
    loading ??= import('./createPayment.js').then(
      ({ createPayment }) => {
        engine = createPayment(step, latest)
        return engine
      },
      (cause) => {
        // Not for good: the next press of the button asks for it again.
        loading = undefined
        return apiError('api.not-loaded', {}, { cause })
      },
    )
    return loading
  }

  return {
    getStep: step.get,
    subscribe: step.subscribe,
    pay: async (parameters, options) => {
      latest.parameters ??= parameters
      // A press is answered at once, also where the line is slow.
      if (!engine) step.set({ status: 'checking' })
      const loaded = await load()
      if (!(loaded instanceof Error)) return loaded.pay(parameters, options)
      step.set({ status: 'failed', error: loaded })
      return step.get()
    },
    resume: async (parameters) => {
      if (!parameters.ledger.list(parameters.orderId).length) return step.get()
      const loaded = await load()
      return loaded instanceof Error ? step.get() : loaded.resume(parameters)
    },
    keep: (getParameters) => {
      latest.parameters ??= getParameters()
      let stop: (() => void) | undefined
      let isOver = false
      // Where it cannot be loaded, whoever pays hears of it.
      void load().then((loaded) => {
        if (!isOver && !(loaded instanceof Error)) stop = loaded.keep(getParameters)
      })
      return () => {
        isOver = true
        stop?.()
      }
    },
    reset: () => (engine ? engine.reset() : step.set(idle)),
  }
}
