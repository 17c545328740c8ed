import type {
  DeliveryStatus,
  ForeignPaymentStatus,
  Known,
  LineItemQuoteStatus,
  PaymentFailureCode,
  PaymentStatus,
  Phase,
  QuoteStatus,
  UnknownMember,
} from '../schema/index.js'

/** A state's fields of one line item. */
export type ForcedItem = { quote?: Known<LineItemQuoteStatus>; delivery?: Known<DeliveryStatus> }

/** A state's fields. Those it leaves out keep the real order's values. */
export type ForcedState = {
  phase: Known<Phase>
  quote?: Known<QuoteStatus>
  payment: Known<PaymentStatus | ForeignPaymentStatus>
  items?: ForcedItem
  /** Different fields for the last item, so that the state needs two. */
  last?: ForcedItem
  failure?: PaymentFailureCode
  /** The received and the refunded amount, in halves of the price. */
  receivedHalves?: number
  refundedHalves?: number
  /** Whether what was received is a part of the price, and the rest is left to pay. */
  isPart?: boolean
  hasNoPrice?: boolean
  hasNoRecipient?: boolean
}

/** Returns a status that only a newer service has. */
const unheardOf = (status: string) => status as UnknownMember

const unquoted = { phase: 'quote', payment: 'requires-quote' } as const
const late = { ...unquoted, quote: 'expired', items: { quote: 'expired' } } as const
const waiting = { phase: 'payment', payment: 'awaiting-payment' } as const
const failed = { phase: 'payment', payment: 'failed' } as const
const paid = { payment: 'completed', receivedHalves: 2 } as const
const onItsWay = { ...paid, phase: 'delivery', items: { delivery: 'in-progress' } } as const
const done = { ...paid, phase: 'completed', items: { delivery: 'completed' } } as const

/**
 * Every state an order can be shown in, by its name, in the order a buyer may meet them.
 *
 * @source answers.md "Order states"
 */
export const forcedStates = {
  'requires-recipient': {
    ...unquoted,
    quote: 'requires-recipient',
    items: { quote: 'requires-recipient' },
    hasNoPrice: true,
    hasNoRecipient: true,
  },
  'requires-physical-address': { ...unquoted, quote: 'requires-physical-address', hasNoPrice: true },
  'all-line-items-unavailable': {
    ...unquoted,
    quote: 'all-line-items-unavailable',
    items: { quote: 'item-unavailable' },
    hasNoPrice: true,
  },
  'quote-expired': late,
  'paid-too-late': { ...late, failure: 'expired', receivedHalves: 2, refundedHalves: 2 },
  'requires-crypto-payer-address': { phase: 'payment', payment: 'requires-crypto-payer-address' },
  'requires-email': { phase: 'payment', payment: 'requires-email' },
  'insufficient-funds': { phase: 'payment', payment: 'crypto-payer-insufficient-funds' },
  'insufficient-funds-for-gas': { phase: 'payment', payment: 'crypto-payer-insufficient-funds-for-gas' },
  'awaiting-payment': waiting,
  'one-item-unavailable': { ...waiting, last: { quote: 'item-unavailable' } },
  underpaid: { ...waiting, failure: 'underpaid', receivedHalves: 1, isPart: true },
  'underpaid-refunded': { ...late, failure: 'underpaid', receivedHalves: 1, refundedHalves: 1 },
  'payment-in-progress': { phase: 'payment', payment: 'in-progress' },
  'payment-failed': { ...failed, failure: 'unknown' },
  'payment-not-found': { ...failed, failure: 'tx-id-not-found' },
  'payment-short-of-funds': { ...failed, failure: 'insufficient-funds' },
  'requires-kyc': { phase: 'payment', payment: 'requires-kyc' },
  'manual-kyc': { phase: 'payment', payment: 'manual-kyc' },
  'failed-kyc': { phase: 'payment', payment: 'failed-kyc' },
  delivering: onItsWay,
  'overpaid-refunded': { ...onItsWay, receivedHalves: 3, refundedHalves: 1 },
  'partly-delivered': { ...onItsWay, items: { delivery: 'completed' }, last: { delivery: 'in-progress' } },
  completed: done,
  'completed-in-part': { ...done, last: { delivery: 'failed' } },
  'nothing-delivered': { ...done, items: { delivery: 'failed' }, refundedHalves: 2 },
  'unknown-future-state': {
    phase: unheardOf('inspection'),
    quote: unheardOf('under-review'),
    payment: unheardOf('awaiting-papers'),
    items: { quote: unheardOf('in-customs'), delivery: unheardOf('held') },
  },
} as const satisfies Record<string, ForcedState>

/** The name of one of the {@link forcedStates}. */
export type ForcedStateName = keyof typeof forcedStates
