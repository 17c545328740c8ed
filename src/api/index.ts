export type { KassaErrorCode, RevertContext } from '../errors/context.js'
export { type AnyKassaError, isKassaError, KassaError } from '../errors/KassaError.js'
export * from './actions.js'
export * from './apiKeys.js'
export * from './auditLog.js'
export * from './authorizations.js'
export { type Client, type CreateClientParameters, createClient } from './client.js'
export { getServiceTime } from './clock.js'
export * from './collections.js'
export { type ExportOrdersParameters, exportOrders } from './exportOrders.js'
export * from './files.js'
export type { FollowParameters } from './follow.js'
export { type GetOrderParameters, getOrder, getOrderIfChanged } from './getOrder.js'
export * from './nfts.js'
export { type Call, observeCalls } from './observeCalls.js'
export * from './orders.js'
export * from './paymentLinks.js'
export * from './paymentOptions.js'
export * from './refunds.js'
export { type ReportPaymentParameters, reportPayment } from './reportPayment.js'
export type { Answered, CallParameters, KeyCallParameters, PageParameters } from './request.js'
export * from './shipments.js'
export { type StreamOrderParameters, streamOrder } from './streamOrder.js'
export * from './support.js'
export * from './templates.js'
export {
  type ApproveTransactionParameters,
  approveTransaction,
  type CreateTransactionParameters,
  createTransaction,
  type GetTransactionParameters,
  getTransaction,
  type ListTransactionsParameters,
  listTransactions,
} from './transactions.js'
export {
  hasTransactionEnded,
  type WaitForTransactionParameters,
  waitForTransaction,
} from './waitForTransaction.js'
export * from './wallets.js'
export * from './webhookEndpoints.js'
