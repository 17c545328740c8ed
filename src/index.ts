export { type Client, type CreateClientParameters, createClient } from './api/client.js'
export type {
  CheckedPayment,
  LedgerStorage,
  PaymentContracts,
  PaymentRules,
  Token,
  TokenTable,
  TransferRequest,
} from './chain/index.js'
export { CheckoutProvider, type CheckoutProviderProps } from './components/CheckoutProvider.js'
export * from './components/checkout/index.js'
export { isPending } from './engine/payment/payStep.js'
export type { ApiContext, ErrorContext, KassaErrorCode, Remedy } from './errors/context.js'
export { type AnyKassaError, isKassaError, KassaError } from './errors/KassaError.js'
export type { MessagesLoader } from './hooks/checkoutContext.js'
export {
  type OrderSession,
  type UseCreateOrderParameters,
  type UseCreateOrderResult,
  type UseEditOrderParameters,
  type UseEditOrderResult,
  type UseOrderParameters,
  type UseOrderResult,
  type UseOrderSessionParameters,
  type UseOrderSessionResult,
  type UsePayOrderParameters,
  type UsePayOrderResult,
  type UseRefreshOrderParameters,
  type UseRefreshOrderResult,
  type UseSolanaWalletsResult,
  type UseTransferParameters,
  type UseTransferResult,
  useClient,
  useCreateOrder,
  useEditOrder,
  useNow,
  useOrder,
  useOrderSession,
  usePayOrder,
  useRefreshOrder,
  useSolanaWallets,
  useTransfer,
} from './hooks/index.js'
export type { Messages } from './locales/Messages.js'
export { formatAmount } from './order/formatAmount.js'
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
} from './schema/index.js'
