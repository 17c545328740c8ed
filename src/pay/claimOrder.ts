import { editOrder } from '../api/orders.js'
import { payError } from '../errors/payError.js'
import { isPaymentSeen } from '../order/payment.js'
import { getStage } from '../order/stage.js'
import { setOrder } from '../query/setOrder.js'
import type { ChainAccess, OrderAccess } from './payContext.js'

/**
 * Claims an order that costs nothing, without a wallet. An edit without changes says that the buyer wants it.
 *
 * @throws {@link KassaError} `pay.not-payable` if it could not be claimed; any `api.*` code.
 */
export const claimOrder = async (context: OrderAccess & Pick<ChainAccess, 'now'>): Promise<void> => {
  const { client, queryClient, orderId, clientSecret } = context
  const order = await editOrder(client, { orderId, clientSecret, body: {} })
  setOrder(queryClient, client, order)
  if (!isPaymentSeen(order)) {
    throw payError('pay.not-payable', { reason: `its stage is "${getStage(order, context.now())}"` })
  }
}
