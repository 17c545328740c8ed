'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react'
import { getServiceTime } from '../api/clock.js'
import type { PayStep } from '../engine/payment/payStep.js'
import type { PaymentParameters } from '../pay/payContext.js'
import { getPayment } from '../pay/payment.js'
import type { PayOptions } from '../pay/payOrder.js'
import type { OrderParameters } from '../query/order.js'
import { useCheckoutContext } from './checkoutContext.js'
import { useRequiredWagmiConfig } from './evm/wagmiConfig.js'

/** Parameters of {@link usePayOrder}. */
export type UsePayOrderParameters = OrderParameters

/** Result of {@link usePayOrder}. */
export type UsePayOrderResult = {
  /** The payment's step, shared by every component that pays this order. */
  step: PayStep
  /**
   * Pays from the connected wallet. A second call joins the first. Never rejects; the step shows the outcome.
   */
  pay(options?: PayOptions): Promise<PayStep>
  /** Clears a failure that was shown. After `pay.price-changed` it accepts the new price. */
  reset(): void
}

const idle: PayStep = { status: 'idle' }
const getServerStep = (): PayStep => idle

/**
 * Pays an order from the buyer's connected wallet: switches its chain, checks the transaction, asks once,
 * reports the hash, and waits for the block. After a reload it resumes. While mounted, it renews the quote
 * before it expires; a changed price needs the buyer's consent first.
 *
 * @param parameters - `orderId` and the `clientSecret` that opens it.
 * @source interface.md "Order"; answers.md "Order states"
 * @example
 * ```tsx
 * import { usePayOrder } from 'kassa'
 *
 * export function PayButton(props: { orderId: string; clientSecret: string }) {
 *   const { step, pay } = usePayOrder(props)
 *   return <button onClick={() => pay()}>{step.status === 'failed' ? 'Try again' : 'Pay'}</button>
 * }
 * ```
 */
export const usePayOrder = ({ orderId, clientSecret }: UsePayOrderParameters): UsePayOrderResult => {
  const provided = useCheckoutContext('usePayOrder')
  const { client } = provided
  const config = useRequiredWagmiConfig()
  const queryClient = useQueryClient()
  const payment = getPayment(queryClient, client, orderId)
  const step = useSyncExternalStore(payment.subscribe, payment.getStep, getServerStep)
  const parameters = useMemo(
    (): PaymentParameters => ({
      ...provided,
      orderId,
      clientSecret,
      config,
      queryClient,
      locks: typeof navigator === 'undefined' ? undefined : navigator.locks,
      now: () => getServiceTime(client, Date.now()),
    }),
    [provided, orderId, clientSecret, config, queryClient, client],
  )
  useEffect(() => {
    void payment.resume(parameters)
    return payment.keep(() => parameters)
  }, [payment, parameters])
  const pay = useCallback((options?: PayOptions) => payment.pay(parameters, options), [payment, parameters])
  return useMemo(() => ({ step, pay, reset: payment.reset }), [step, pay, payment])
}
