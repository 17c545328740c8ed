/**
 * Every closed list of the interface, once. The service writes only these members; the library's readers
 * accept others too (see `open.ts`), because a newer service may know more than this list.
 *
 * @source interface.md "States and transitions"; answers.md "Order states", "Create order, edit order"
 */

/** Phases of an order, in the order a buyer meets them. */
export const phases = ['quote', 'payment', 'delivery', 'completed'] as const

/** What stands between an order and a price the buyer can pay. */
export const quoteStatuses = [
  'requires-recipient',
  'requires-physical-address',
  'all-line-items-unavailable',
  'valid',
  'expired',
] as const

/** What stands between one line item and its price. */
export const lineItemQuoteStatuses = ['valid', 'item-unavailable', 'expired', 'requires-recipient'] as const

/** Payment statuses the service writes. */
export const paymentStatuses = [
  'requires-quote',
  'requires-crypto-payer-address',
  'requires-email',
  'crypto-payer-insufficient-funds',
  'crypto-payer-insufficient-funds-for-gas',
  'awaiting-payment',
  'in-progress',
  'completed',
] as const

/** Payment statuses other services of this interface are known to write. */
export const foreignPaymentStatuses = ['failed', 'requires-kyc', 'failed-kyc', 'manual-kyc'] as const

/** Why a payment did not pay for its order. */
export const paymentFailureCodes = [
  'insufficient-funds',
  'tx-id-not-found',
  'underpaid',
  'expired',
  'unknown',
] as const

/** How far one line item is on its way to its recipient. */
export const deliveryStatuses = ['awaiting-payment', 'in-progress', 'completed', 'failed'] as const

/** Languages an order can be shown and mailed in. */
export const locales = [
  'en-US',
  'es-ES',
  'fr-FR',
  'it-IT',
  'ko-KR',
  'pt-PT',
  'ja-JP',
  'zh-CN',
  'zh-TW',
  'de-DE',
  'ru-RU',
  'tr-TR',
  'uk-UA',
  'th-TH',
  'vi-VN',
] as const

/** Whether every token of a collection is one of its kind. */
export const fungibilities = ['non-fungible', 'semi-fungible'] as const

/** The standard a collection's tokens follow, as `onChain.type` names it. */
export const tokenStandards = ['erc-721', 'erc-1155', 'erc-5643'] as const

/** How far a token is on its way onto its chain. */
export const mintStatuses = ['pending', 'success', 'failed'] as const

/** What changes a chain and is followed by its action id. */
export const actionNames = ['collections.create', 'collections.update', 'nfts.create', 'nfts.update'] as const

/** How far an action is. */
export const actionStatuses = ['pending', 'succeeded', 'failed'] as const

/** What a webhook endpoint can be told of. */
export const webhookEventTypes = [
  'collections.create.succeeded',
  'collections.create.failed',
  'collections.update.succeeded',
  'collections.update.failed',
  'nfts.create.succeeded',
  'nfts.create.failed',
  'nfts.update.succeeded',
  'orders.quote.created',
  'orders.quote.updated',
  'orders.payment.succeeded',
  'orders.payment.failed',
  'orders.delivery.initiated',
  'orders.delivery.completed',
  'orders.delivery.failed',
  'wallets.transaction.succeeded',
  'wallets.transaction.failed',
] as const

/** Where an order stands as a whole. */
export type Phase = (typeof phases)[number]
/** Where an order's quote stands. */
export type QuoteStatus = (typeof quoteStatuses)[number]
/** Where one line item's quote stands. */
export type LineItemQuoteStatus = (typeof lineItemQuoteStatuses)[number]
/** Where a payment stands, as this interface writes it. */
export type PaymentStatus = (typeof paymentStatuses)[number]
/** Where a payment stands, as other services may write it. */
export type ForeignPaymentStatus = (typeof foreignPaymentStatuses)[number]
/** Why a payment came to nothing. */
export type PaymentFailureCode = (typeof paymentFailureCodes)[number]
/** Where the delivery of one line item stands. */
export type DeliveryStatus = (typeof deliveryStatuses)[number]
/** A language and region the buyer is addressed in. */
export type Locale = (typeof locales)[number]
/** Whether every token of a collection is one of its kind. */
export type Fungibility = (typeof fungibilities)[number]
/** The standard a collection's tokens follow. */
export type TokenStandard = (typeof tokenStandards)[number]
/** How far a token is on its way onto its chain. */
export type MintStatus = (typeof mintStatuses)[number]
/** What changes a chain and is followed by its action id. */
export type ActionName = (typeof actionNames)[number]
/** How far an action is. */
export type ActionStatus = (typeof actionStatuses)[number]
/** What a webhook endpoint can be told of. */
export type WebhookEventType = (typeof webhookEventTypes)[number]
