export type { Client } from '../api/client.js'
export { type CreateOrderParameters, createOrder } from '../api/createOrder.js'
export { type EditOrderParameters, editOrder } from '../api/editOrder.js'
export { type GetOrderParameters, getOrder } from '../api/getOrder.js'
export { type ListOrdersParameters, listOrders } from '../api/listOrders.js'
export { type RefreshOrderParameters, refreshOrder } from '../api/refreshOrder.js'
export type { KassaErrorCode } from '../errors/context.js'
export { type AnyKassaError, isKassaError, KassaError } from '../errors/KassaError.js'
export type { CartOrderBody } from '../schema/cartOrder.js'
export type { WebhookEventType } from '../schema/members.js'
export type { UnknownEventType, WebhookEvent } from '../schema/webhook.js'
export type { ShopVisit } from './callerOrigin.js'
export { type CreateCheckoutHandlerParameters, createCheckoutHandler } from './createCheckoutHandler.js'
export { type CreateServerClientParameters, createServerClient } from './createServerClient.js'
export { type CreateWebhookHandlerParameters, createWebhookHandler } from './createWebhookHandler.js'
export {
  type CookieVisit,
  type OpenedOrder,
  type OrderCookie,
  orderCookie,
  type RequestCookies,
  readOrderCookie,
} from './orderCookie.js'
export type { RawBody } from './readBytes.js'
export type { CartRequest, CreateDraft, OrderDraft } from './readDraft.js'
export type { CheckEdit, EditRequest } from './readEdit.js'
export type { ReceivedEvent, WebhookOptions, WebhookRequest } from './readWebhook.js'
export { refuseCart } from './refuseCart.js'
export { verifyWebhook } from './verifyWebhook.js'
export type { WebhookHeaders } from './webhookHeaders.js'
