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

/** What became of an order's promotion code when the order was quoted. */
export const promotionStatuses = ['applied', 'not-found', 'expired', 'used-up'] as const

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

/**
 * Whether an accepted payment is captured at once, or when the merchant says so. A payment that is not captured is
 * refunded.
 */
export const captureMethods = ['automatic', 'manual'] as const

/** The statuses of a payment that the merchant captures. */
export const captureStatuses = ['requires-capture', 'captured', 'voided', 'expired'] as const

/** The details that a collection may require of its buyers before payment. */
export const buyerDetails = ['physical-address', 'receipt-email'] as const

/** The statuses of one line item's delivery. */
export const deliveryStatuses = ['awaiting-payment', 'in-progress', 'completed', 'failed'] as const

/** The statuses of a refund. `claimable` waits in a contract for a payer whose account rejected the money. */
export const refundStatuses = ['pending', 'held', 'failed', 'claimable', 'succeeded'] as const

/**
 * Why a refund is held: it is worth less than its fee, a contract paid that the order does not name, the chain refused it
 * repeatedly, or it exceeds a cap.
 */
export const refundHoldReasons = ['below-fee', 'contract-payer', 'refused', 'cap'] as const

/**
 * What a transaction that paid is to its order: `pending` is not decided about, a `part` of the price waits for the rest,
 * `accepted` pays for the order, and `returned` goes back.
 */
export const paymentUses = ['pending', 'part', 'accepted', 'returned'] as const

/** Why a refund is due. `requested` is a refund by the merchant. */
export const refundCauses = [
  'underpaid',
  'expired',
  'unknown',
  'overpaid',
  'duplicate',
  'undelivered',
  'requested',
  'voided',
  'capture-expired',
] as const

/** The statuses of a shipment. A cancelled one was reported by mistake. */
export const shipmentStatuses = ['shipped', 'cancelled'] as const

/** In which order the orders of a shop are listed, by when they were created. */
export const orderSorts = ['newest', 'oldest'] as const

/**
 * How a buyer signs a payment that the shop sends: a transfer that the token itself takes (ERC-3009), one by Permit2 with a
 * permit for it (ERC-2612), or one by Permit2 alone.
 */
export const authorizationKinds = ['erc3009', 'permit', 'permit2'] as const

/** What became of a payment that its buyer signed. Only a `pending` one may still move money. */
export const authorizationStatuses = ['pending', 'settled', 'refused', 'failed', 'expired'] as const

/** Who pays the network fee of a payment. */
export const gasPayers = ['payer', 'shop'] as const

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
/** What became of an order's promotion code. */
export type PromotionStatus = (typeof promotionStatuses)[number]
/** The status of a payment, as this interface writes it. */
export type PaymentStatus = (typeof paymentStatuses)[number]
/** The status of a payment, as other services may write it. */
export type ForeignPaymentStatus = (typeof foreignPaymentStatuses)[number]
/** Why a payment failed. */
export type PaymentFailureCode = (typeof paymentFailureCodes)[number]
/** Whether a payment is captured at once, or when the merchant says so. */
export type CaptureMethod = (typeof captureMethods)[number]
/** The status of a payment that the merchant captures. */
export type CaptureStatus = (typeof captureStatuses)[number]
/** A detail that a collection requires of its buyers. */
export type BuyerDetail = (typeof buyerDetails)[number]
/** The status of one line item's delivery. */
export type DeliveryStatus = (typeof deliveryStatuses)[number]
/** The status of a refund. */
export type RefundStatus = (typeof refundStatuses)[number]
/** What a transaction that paid is to its order. */
export type PaymentUse = (typeof paymentUses)[number]
/** Why a refund is held. */
export type RefundHoldReason = (typeof refundHoldReasons)[number]
/** Why a refund is due. */
export type RefundCause = (typeof refundCauses)[number]
/** The status of a shipment. */
export type ShipmentStatus = (typeof shipmentStatuses)[number]
/** In which order the orders of a shop are listed. */
export type OrderSort = (typeof orderSorts)[number]
/** How a buyer signs a payment that the shop sends. */
export type AuthorizationKind = (typeof authorizationKinds)[number]
/** What became of a payment that its buyer signed. */
export type AuthorizationStatus = (typeof authorizationStatuses)[number]
/** Who pays the network fee of a payment. */
export type GasPayer = (typeof gasPayers)[number]
/** A locale that texts and e-mails are translated into. */
export type Locale = (typeof locales)[number]
