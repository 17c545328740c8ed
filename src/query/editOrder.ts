import { mutationOptions } from '@tanstack/react-query'
import type { AnyKassaError, Client } from '../api/index.js'
import { editOrder } from '../api/orders.js'
import type { EditOrderBody, Order } from '../schema/index.js'
import type { OrderParameters } from './order.js'
import { sendChange, setChosenOrder } from './setOrder.js'

/** Options of the mutation that changes an order's recipient, payment or locale. */
export const editOrderMutationOptions = (client: Client, parameters: OrderParameters) =>
  mutationOptions<Order, AnyKassaError, EditOrderBody>({
    mutationKey: ['kassa', 'editOrder', { orderId: parameters.orderId }],
    // Edits of one order are sent one after the other, so that the last one wins.
    scope: { id: `kassa.order.${parameters.orderId}` },
    mutationFn: (body, context) =>
      sendChange(context.client, client, {
        orderId: parameters.orderId,
        send: () => editOrder(client, { ...parameters, body }),
      }),
    onSuccess: (order, _body, _result, context) => setChosenOrder(context.client, client, order),
  })
