export type { PayStep } from '../engine/payment/payStep.js'
export type { CheckedFacts, CheckoutEvent } from '../pay/event.js'
export type { BeforePay, Locks, PaymentParameters, PaymentToApprove, Verdict } from '../pay/payContext.js'
export { getPayment, type Payment } from '../pay/payment.js'
export type { PayOptions } from '../pay/payOrder.js'
export { createOrderMutationOptions } from './createOrder.js'
export { editOrderMutationOptions } from './editOrder.js'
export { type OrderQueryKey, orderQueryKey } from './keys.js'
export {
  type OrderParameters,
  type OrderQueryOptions,
  type OrderQueryParameters,
  orderQueryOptions,
} from './order.js'
export { refreshOrderMutationOptions } from './refreshOrder.js'
