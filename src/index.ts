export { type Client, type CreateClientParameters, createClient } from './api/index.js'
export type {
  CheckedPayment,
  LedgerStorage,
  PaymentContracts,
  PaymentRules,
  Token,
  TokenTable,
} from './chain/index.js'
export { CheckoutProvider, type CheckoutProviderProps } from './components/CheckoutProvider.js'
export * from './components/checkout/index.js'
export type { ErrorContext, KassaErrorCode, Remedy } from './errors/context.js'
export { type AnyKassaError, isKassaError, KassaError } from './errors/KassaError.js'
export type { MessagesLoader } from './hooks/checkoutContext.js'
export {
  type UseCreateOrderParameters,
  type UseCreateOrderResult,
  type UseEditOrderParameters,
  type UseEditOrderResult,
  type UseOrderParameters,
  type UseOrderResult,
  type UsePayOrderParameters,
  type UsePayOrderResult,
  type UseRefreshOrderParameters,
  type UseRefreshOrderResult,
  useClient,
  useCreateOrder,
  useEditOrder,
  useNow,
  useOrder,
  usePayOrder,
  useRefreshOrder,
} from './hooks/index.js'
export type { Messages } from './locales/Messages.js'
export { getStage, getTimeLeftMs, type OrderStage } from './order/index.js'
export {
  type BeforePay,
  type CheckoutEvent,
  isPending,
  type PaymentToApprove,
  type PayOptions,
  type PayStep,
  type Verdict,
} from './query/index.js'
export type {
  Amount,
  CreateOrderAnswer,
  CreateOrderBody,
  EditOrderBody,
  LineItem,
  Order,
} from './schema/index.js'
