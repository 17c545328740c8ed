export { createOrderMutationOptions } from './createOrder.js'
export { editOrderMutationOptions } from './editOrder.js'
export type { CheckedFacts, CheckoutEvent } from './event.js'
export { type OrderQueryKey, orderQueryKey } from './keys.js'
export {
  type OrderParameters,
  type OrderQueryOptions,
  type OrderQueryParameters,
  orderQueryOptions,
} from './order.js'
export type { BeforePay, Locks, PaymentParameters, PaymentToApprove, Verdict } from './payContext.js'
export { getPayment, type Payment } from './payment.js'
export type { PayOptions } from './payOrder.js'
export { isPending, type PayStep } from './payStep.js'
export { refreshOrderMutationOptions } from './refreshOrder.js'
