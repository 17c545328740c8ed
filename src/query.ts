export type { PayStep } from './engine/payment/payStep.js'
export type { Payment } from './pay/createPayment.js'
export type { CheckedFacts, CheckoutEvent } from './pay/event.js'
export type { BeforePay, Locks, PaymentParameters, PaymentToApprove, Verdict } from './pay/payContext.js'
export { getPayment } from './pay/payment.js'
export type { PayOptions } from './pay/payOrder.js'
export { createOrderMutationOptions } from './query/createOrder.js'
export { editOrderMutationOptions } from './query/editOrder.js'
export { type OrderQueryKey, orderQueryKey } from './query/keys.js'
export {
  type OrderParameters,
  type OrderQueryOptions,
  type OrderQueryParameters,
  orderQueryOptions,
} from './query/order.js'
export {
  type PaymentOptionsParameters,
  type PaymentOptionsQueryKey,
  type PaymentOptionsQueryOptions,
  type PaymentOptionsQueryParameters,
  paymentOptionsQueryOptions,
} from './query/paymentOptions.js'
export { refreshOrderMutationOptions } from './query/refreshOrder.js'
