export type { Client } from '../api/client.js'
export { type GetOrderParameters, getOrder } from '../api/getOrder.js'
export {
  type CreateOrderParameters,
  createOrder,
  type EditOrderParameters,
  editOrder,
  type ListOrdersParameters,
  listOrders,
  type RefreshOrderParameters,
  refreshOrder,
} from '../api/orders.js'
export {
  type CreateTransactionParameters,
  createTransaction,
  type GetTransactionParameters,
  getTransaction,
} from '../api/transactions.js'
export {
  type CreateWalletParameters,
  createWallet,
  type GetCredentialParameters,
  type GetWalletParameters,
  getCredential,
  getWallet,
  type ListWalletTokensParameters,
  listWalletTokens,
  type WalletParameters,
} from '../api/wallets.js'
export type { KassaErrorCode } from '../errors/context.js'
export { type AnyKassaError, isKassaError } from '../errors/KassaError.js'
export type { CartOrderBody } from '../schema/cartOrder.js'
export type { WebhookEventType } from '../schema/members.js'
export type { UnknownEventType, WebhookEvent } from '../schema/webhook.js'
export type { CheckCreation, WalletToCreate } from './checkCreation.js'
export type { CheckTransaction, TransactionToCheck } from './checkTransaction.js'
export { type CreateCheckoutHandlerParameters, createCheckoutHandler } from './createCheckoutHandler.js'
export { type CreateServerClientParameters, createServerClient } from './createServerClient.js'
export { type CreateWalletHandlerParameters, createWalletHandler } from './createWalletHandler.js'
export { type CreateWebhookHandlerParameters, createWebhookHandler } from './createWebhookHandler.js'
export type { ShopVisit } from './guardOrigin.js'
export { isTokenTransfer } from './isTokenTransfer.js'
export {
  type CookieVisit,
  type OpenedOrder,
  type OrderCookie,
  orderCookie,
  type RequestCookies,
  readOrderCookie,
} from './orderCookie.js'
export type { CartRequest, CreateDraft, OrderDraft } from './readDraft.js'
export type { CheckEdit, EditRequest } from './readEdit.js'
export type { RawBody } from './readJsonBody.js'
export type { FindUser } from './readUser.js'
export type { TransactionParams } from './readWalletBody.js'
export type { ReceivedEvent, WebhookOptions, WebhookRequest } from './readWebhook.js'
export { verifyWebhook } from './readWebhook.js'
export { refuseCart } from './refuseCart.js'
export type { WebhookHeaders } from './webhookSignature.js'
