import { isPaymentCompleted, isPaymentReturned } from '../order/index.js'
import type { Order } from '../schema/index.js'
import { orderQueryKey } from './keys.js'
import type { PaymentParameters } from './payContext.js'
import { watchOrder } from './watchOrder.js'

/**
 * Waits until the service has decided about a payment that is in a block: that it stands, or that it is sent
 * back, as too little or too late. Only then is it forgotten.
 *
 * @returns Whether it stands.
 */
export const awaitSettlement = async (parameters: PaymentParameters, txId: string): Promise<boolean> => {
  const { queryClient, client, ledger, orderId } = parameters
  const isSettled = (order: Order): boolean => isPaymentCompleted(order) || isPaymentReturned(order, txId)
  const settled = watchOrder(parameters, isSettled)
  await queryClient.invalidateQueries({ queryKey: orderQueryKey(client, orderId) })
  const order = await settled.promise
  if (isPaymentCompleted(order)) {
    ledger.clear(orderId)
    return true
  }
  for (const attempt of ledger.list(orderId)) if (attempt.txId === txId) ledger.remove(attempt)
  return false
}
