// By stars, where every name of a file is public: for one that is named here, esbuild loads all others of this file too that
// the payment engine shares.
export * from './api/client.js'
export type {
  CheckedPayment,
  PaymentContracts,
  PaymentRules,
  Token,
  TokenTable,
  TransferRequest,
  WebStorage,
} from './chain/index.js'
export * from './components/CheckoutProvider.js'
export * from './components/checkout/index.js'
export { isPending } from './engine/payment/payStep.js'
export type { ApiContext, ErrorContext, KassaErrorCode, Remedy } from './errors/context.js'
export { type AnyKassaError, isKassaError, KassaError } from './errors/KassaError.js'
export type { MessagesLoader } from './hooks/checkoutContext.js'
export * from './hooks/index.js'
export type { Messages } from './locales/Messages.js'
export { formatAmount } from './order/formatAmount.js'
export { isChangeable } from './order/payment.js'
export { getStage, type OrderStage } from './order/stage.js'
export { getTimeLeftMs } from './order/timeLeft.js'
export type {
  BeforePay,
  CheckoutEvent,
  PaymentToApprove,
  PayOptions,
  PayStep,
  Verdict,
} from './query.js'
export type {
  Amount,
  CartOrderBody,
  CreateOrderAnswer,
  CreateOrderBody,
  EditOrderBody,
  LineItem,
  Order,
  PaymentOptionList,
  QuotedPaymentOption,
} from './schema/index.js'
