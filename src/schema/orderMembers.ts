/**
 * The closed lists of orders.
 *
 * @source interface.md "States and transitions"; answers.md "Order states", "Create order, edit order"
 */

/** Phases of an order, in the order a buyer meets them. */
export const phases = ['quote', 'payment', 'delivery', 'completed'] as const

/** The statuses of an order's quote, up to a price the buyer can pay. */
export const quoteStatuses = [
  'requires-recipient',
  'requires-physical-address',
  'all-line-items-unavailable',
  'valid',
  'expired',
] as const

/** The statuses of one line item's quote. */
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

/** The details that a collection may require of its buyers before payment. */
export const buyerDetails = ['physical-address', 'receipt-email'] as const

/** The statuses of one line item's delivery. */
export const deliveryStatuses = ['awaiting-payment', 'in-progress', 'completed', 'failed'] as const

/** The locales that texts and e-mails are translated into. */
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

/** An order's phase. */
export type Phase = (typeof phases)[number]
/** The status of an order's quote. */
export type QuoteStatus = (typeof quoteStatuses)[number]
/** The status of one line item's quote. */
export type LineItemQuoteStatus = (typeof lineItemQuoteStatuses)[number]
/** The status of a payment, as this interface writes it. */
export type PaymentStatus = (typeof paymentStatuses)[number]
/** The status of a payment, as other services may write it. */
export type ForeignPaymentStatus = (typeof foreignPaymentStatuses)[number]
/** Why a payment failed. */
export type PaymentFailureCode = (typeof paymentFailureCodes)[number]
/** A detail that a collection requires of its buyers. */
export type BuyerDetail = (typeof buyerDetails)[number]
/** The status of one line item's delivery. */
export type DeliveryStatus = (typeof deliveryStatuses)[number]
/** A locale that texts and e-mails are translated into. */
export type Locale = (typeof locales)[number]
