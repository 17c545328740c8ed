import type { Gift, OrderMetadata } from '../../schema/createOrder.js'
import type { DeliveredToken } from '../../schema/delivery.js'
import type {
  BuyerDetail,
  DeliveryStatus,
  LineItemQuoteStatus,
  PaymentFailureCode,
  PaymentStatus,
  Phase,
  QuoteStatus,
} from '../../schema/orderMembers.js'
import type { PhysicalAddress } from '../../schema/recipient.js'

/** The recipient of the goods. */
export type Recipient = {
  email?: string
  walletAddress?: string
  physicalAddress?: PhysicalAddress
}

/** Why a line item is unavailable now. */
export type Unavailability = {
  code:
    | 'chain-not-enabled'
    | 'currency-not-convertible'
    | 'payments-not-enabled'
    | 'sold-out'
    | 'supply-insufficient'
  message: string
}

/** The price of one line item. @units base units of the payment currency, as decimal integers. */
export type LineItemCharges = {
  unitUnits: string
  salesTaxUnits: string
  shippingUnits: string
  totalUnits: string
}

/** Tokens of a line item that one transaction minted. */
export type MintedPart = { count: number; txId: string }

/** A line item as the service stores it. */
export type LineItemState = {
  collectionId: string
  /** The template that its tokens are copies of. */
  templateId?: string
  chain: string
  quantity: number
  /** The buyer's details that its collection required when it was quoted. */
  requires?: readonly BuyerDetail[]
  /** As the client sent it, with the quantity filled in. */
  callData: Record<string, unknown>
  metadata: { name: string; description: string; imageUrl: string }
  quote: {
    status: LineItemQuoteStatus
    unavailabilityReason?: Unavailability
    charges?: LineItemCharges
    /**
     * The recipient of its proceeds, in the canonical form of the payment's chain. Absent for the treasury.
     */
    payee?: string
  }
  delivery: {
    status: DeliveryStatus
    /**
     * The wallet that receives the tokens: known at once for a wallet recipient, and on delivery for an
     * e-mail user.
     */
    walletAddress?: string
    /** Assigned before the mint, so that a second attempt mints the same tokens. */
    tokenIds?: string[]
    /** When the subscription ends, fixed with the ids. */
    expiresAtMs?: number
    /** The parts already minted, in the order of the ids, while more than one transaction is needed. */
    minted?: MintedPart[]
    /** The number of the current attempt at the delivery, from the second on. */
    attempt?: number
    txId?: string
    tokens?: DeliveredToken[]
  }
}

/** What a payment was for; undecided until it is confirmed. */
export type PaymentUse = 'undecided' | 'accepted' | 'returned'

/** A payment seen on chain, as the order stores it. */
export type PaymentState = {
  id: string
  chain: string
  currency: string
  decimals: number
  /** @units base units of `currency` */
  units: string
  payer: string
  txId: string
  /** The time of its block, in epoch milliseconds. */
  minedAtMs: number
  use: PaymentUse
  /** Whether a deep reorganisation removed it after it was final. It counts again once it is final again. */
  isLost?: true
}

/** How often the chain refused a sweep, and the last reason. */
export type SweepRefusal = { attempts: number; reason: string }

/** Proceeds that their recipient's contract rejected. They wait in `contract` until they are claimed or sent elsewhere. */
export type SweepCredit = {
  txId: string
  contract: string
  /** How often the operator named another address. */
  attempts: number
  /** The address that the operator named, until the chain refuses it. */
  sentTo?: string
  /** Why the chain refused the last address that the operator named. */
  reason?: string
}

/** Why money is refunded. */
export type RefundReason = PaymentFailureCode | 'overpaid' | 'duplicate' | 'undelivered'

/** The refund of all or part of one payment to its payer. */
export type RefundState = {
  id: string
  paymentId: string
  /** @units base units of the payment's currency */
  units: string
  reason: RefundReason
  /**
   * `held` waits for lower fees, for room under a cap or for the operator. `failed` was refused by the chain
   * repeatedly and waits for the operator. `credited` waits in `contract` for the payer to claim it.
   */
  status: 'pending' | 'held' | 'failed' | 'credited' | 'sent'
  txId?: string
  contract?: string
}

/** How an order is paid. */
export type PaymentTerms = {
  chain: string
  currency: string
  decimals: number
  payerAddress?: string
  receiptEmail?: string
}

/**
 * An earlier price of the order, for the same goods in the same currency: its quote, and those of the line
 * items.
 */
export type EarlierQuote = { quote: OrderState['quote']; items: LineItemState['quote'][] }

/**
 * An order as the service stores it, in one document. `viewOrder` derives everything that clients see of it.
 */
export type OrderState = {
  orderId: string
  projectId: string
  locale: string
  metadata?: OrderMetadata
  recipient?: Recipient
  gift?: Gift
  phase: Phase
  lineItems: LineItemState[]
  quote: {
    status: QuoteStatus
    quotedAtMs?: number
    expiresAtMs?: number
    /** @units base units of the payment currency */
    totalUnits?: string
    /** The value of one whole unit of the payment currency in US dollars; absent if no rate was known. */
    usdRate?: string
  }
  /**
   * Latest first. A payment that was pending when the price changed is accepted at the price that it pays.
   */
  earlierQuotes?: EarlierQuote[]
  payment: PaymentTerms & {
    status: PaymentStatus
    serializedTransaction?: string
    failureReason?: { code: PaymentFailureCode; message?: string }
  }
  payments: PaymentState[]
  refunds: RefundState[]
  /** Transactions that the buyer reported. They prove nothing. */
  hints: string[]
  /** When the last of them was reported. */
  hintedAtMs?: number
  /** When a node last knew one of them. */
  reportKnownAtMs?: number
  /** Whether the sweep of the proceeds to their recipients was requested. */
  isSwept: boolean
  /** The sweeps that the chain refuses, by key. */
  sweepRefusals?: Record<string, SweepRefusal>
  /** The sweeps that their recipients could not receive, by key. */
  sweepCredits?: Record<string, SweepCredit>
}

/** The contents of a quote, before the order takes it. */
export type QuotedTerms = Pick<OrderState, 'locale' | 'metadata' | 'recipient'> & {
  lineItems: LineItemState[]
  quote: OrderState['quote']
  payment: PaymentTerms
  /** The payer's funds according to the chain; absent while the order has no price or no payer. */
  funds?: FundsCheck
}

/** Whether the payer can pay, and if so the transaction to sign. */
export type FundsCheck =
  | { status: 'ready'; serializedTransaction: string }
  | { status: 'insufficient-funds' }
  | { status: 'insufficient-funds-for-gas' }
