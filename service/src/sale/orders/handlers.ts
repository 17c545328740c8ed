import type { Deps } from '#base/deps.js'
import type { JobHandler } from '#base/ports/jobs.js'
import { adoptRefund } from './adoptRefund.js'
import { deliverLineItem } from './deliver.js'
import { sendRefund } from './refund.js'
import { returnParts } from './returnParts.js'
import { sweepOrder } from './sweep.js'
import { expireOrder } from './updateOrder.js'

/** The handlers of all jobs for orders, by name. */
export type OrderHandlers = {
  [Name in
    | 'orders.adoptRefund'
    | 'orders.expire'
    | 'orders.deliver'
    | 'orders.refund'
    | 'orders.returnParts'
    | 'orders.sweep']: JobHandler<Name>
}

/** Creates the handlers of the jobs that orders enqueue. */
export const createOrderHandlers = (deps: Deps): OrderHandlers => ({
  'orders.adoptRefund': adoptRefund(deps),
  'orders.expire': expireOrder(deps),
  'orders.deliver': deliverLineItem(deps),
  'orders.refund': sendRefund(deps),
  'orders.returnParts': returnParts(deps),
  'orders.sweep': sweepOrder(deps),
})
