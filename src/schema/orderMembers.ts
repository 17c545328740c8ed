/**
 * The closed lists of orders.
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

/** What a collection may require of its buyers before an order of it can be paid. */
export const buyerDetails = ['physical-address', 'receipt-email'] as const

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
/** Something that a collection requires of its buyers. */
export type BuyerDetail = (typeof buyerDetails)[number]
/** Where the delivery of one line item stands. */
export type DeliveryStatus = (typeof deliveryStatuses)[number]
/** A language and region the buyer is addressed in. */
export type Locale = (typeof locales)[number]
