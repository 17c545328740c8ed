import { mutationOptions } from '@tanstack/react-query'
import type { AnyKassaError, Client } from '../api/index.js'
import { refreshOrder } from '../api/orders.js'
import type { Order } from '../schema/index.js'
import type { OrderParameters } from './order.js'
import { sendChange, setChosenOrder } from './setOrder.js'

/** Returns the options of the mutation that quotes an order again at the current price. */
export const refreshOrderMutationOptions = (client: Client, parameters: OrderParameters) =>
  mutationOptions<Order, AnyKassaError, void>({
    mutationKey: ['kassa', 'refreshOrder', { orderId: parameters.orderId }],
    scope: { id: `kassa.order.${parameters.orderId}` },
    mutationFn: (_, context) =>
      sendChange(context.client, client, {
        orderId: parameters.orderId,
        send: () => refreshOrder(client, parameters),
      }),
    onSuccess: (order, _variables, _result, context) => setChosenOrder(context.client, client, order),
  })
