import type { PreparedAuthorization } from '../../schema/authorization.js'
import type { Gift, OrderMetadata } from '../../schema/createOrder.js'
import type { DeliveredToken } from '../../schema/delivery.js'
import type {
  BuyerDetail,
  CaptureStatus,
  DeliveryStatus,
  GasPayer,
  LineItemQuoteStatus,
  PaymentFailureCode,
  PaymentStatus,
  Phase,
  PromotionStatus,
  QuoteStatus,
  RefundCause,
  RefundHoldReason,
} from '../../schema/orderMembers.js'
import type { LineItemQuote } from '../../schema/quote.js'
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
    | 'limit-reached'
    | 'not-in-phase'
    | 'payments-not-enabled'
    | 'phase-sold-out'
    | 'recipient-refuses'
    | 'sale-ended'
    | 'sale-not-started'
    | 'sold-out'
    | 'supply-insufficient'
  message: string
  /** When it becomes available, if that is known. */
  availableAtMs?: number
}

/** A limit of a sale that a line item counts against. */
export type SaleLimit = {
  /**
   * What is counted: the tokens of a buyer, by what identifies the buyer, the tokens of a phase, or the uses of a
   * promotion code.
   */
  of: 'wallet' | 'email' | 'payer' | 'phase' | 'code'
  /** What the count is stored under. Absent for a payer who is not known yet. */
  key?: string
  max: number
}

/** How many tokens a buyer may have in all, and how many of them are left. */
export type BuyerAllowance = { max: number; left: number }

/** The price of one line item. @units base units of the payment currency, as decimal integers. */
export type LineItemCharges = {
  unitUnits: string
  salesTaxUnits: string
  shippingUnits: string
  /** What a promotion code takes off `unitUnits`; absent without one. */
  discountUnits?: string
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
    /** How many of it could be bought when it was quoted; absent if its supply has no limit. */
    available?: number
    /** How many the buyer may have when it was quoted; absent without a limit for each buyer. */
    allowance?: BuyerAllowance
    /** The rules of its sale when it was quoted, as its buyer sees them. */
    sale?: NonNullable<LineItemQuote['sale']>
    /** The limits of its sale that it counts against. */
    limits?: SaleLimit[]
    charges?: LineItemCharges
    /** What the goods cost while it is not known who gets them, so that there are no charges yet. */
    goods?: Pick<LineItemCharges, 'unitUnits' | 'discountUnits'>
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
    /** Whether the block of its mint may still be replaced. Until it is final, no proceeds are swept. */
    isSettling?: true
  }
}

/**
 * What a payment was for; undecided until it is confirmed. A `part` of the price waits for the rest while the quote is
 * valid.
 */
export type PaymentUse = 'undecided' | 'part' | 'accepted' | 'returned'

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

/** The part of a refund that is of one line item's price. @units base units of the payment's currency */
export type RefundShare = { lineItemIndex: number; units: string }

/** What the merchant requested to be refunded: parts of the prices of delivered line items. */
export type RefundRequest = {
  shares: RefundShare[]
  /** In the merchant's words. */
  reason?: string
}

/** The refund of all or part of one payment to its payer. */
export type RefundState = {
  id: string
  /** What identifies its payout on chain: see `payOutKeyOf`. Absent on refunds of an earlier version. */
  payOutKey?: string
  paymentId: string
  /** @units base units of the payment's currency */
  units: string
  reason: RefundCause
  /**
   * `held` waits for lower fees, for room under a cap, for an address or for the operator. `failed` was refused by the chain
   * repeatedly and waits for the operator. `credited` waits in `contract` for the payer to claim it.
   */
  status: 'pending' | 'held' | 'failed' | 'credited' | 'sent'
  /** Why it is held. Absent if an earlier version of the service held it. */
  heldAs?: RefundHoldReason
  /** The address that the order, the buyer or the operator named. Absent if it goes to the payer. */
  sentTo?: string
  txId?: string
  contract?: string
  /** What a new account of the recipient cost, if that was taken off. @units base units of the payment's currency */
  fee?: string
  /** Absent if the service refunded by its own rules. */
  request?: RefundRequest
  /** Where its money comes from, if the proceeds of the order have left it. */
  source?: 'treasury'
  /** What the order said when it began. Absent while the order still says so: it was not quoted again. */
  terms?: { payment: Omit<PaymentTerms, 'receiptEmail'>; totalUnits?: string; usdRate?: string }
}

/** A parcel with line items of an order, as the merchant reported it. */
export type ShipmentState = {
  id: string
  carrier: string
  trackingNumber?: string
  trackingUrl?: string
  /** The positions of its line items. */
  lineItems: number[]
  shippedAtMs: number
  /** Present once the merchant took the report back. The line items can be shipped again. */
  cancelled?: { atMs: number; reason?: string }
}

/** What the merchant decides about the payment of an order that is not captured automatically. */
export type CaptureState = {
  /** How long the merchant has. @units milliseconds */
  windowMs: number
  /** Absent until a payment is accepted. */
  status?: CaptureStatus
  /** When a payment that is not captured is refunded, in epoch milliseconds. */
  deadlineMs?: number
  /** When it was captured, voided or refunded, in epoch milliseconds. */
  decidedAtMs?: number
}

/** How an order is paid. */
export type PaymentTerms = {
  chain: string
  currency: string
  decimals: number
  payerAddress?: string
  receiptEmail?: string
  /** Where refunds on `chain` go. Otherwise they go to the account that paid. */
  refundAddress?: string
  /** The URL at which software pays by x402. Whoever has it can pay for the order, and reads it as its buyer does. */
  x402Url?: string
}

/** What the payer may sign to pay the present price. */
export type PreparedSignature = {
  /** The unsigned transaction, whose network fee the payer pays. */
  serializedTransaction?: string
  /** What the payer signs so that the shop sends the payment. Absent where the shop does not pay its network fee. */
  authorization?: PreparedAuthorization
  /** Who pays the network fee. Absent where the operator lets no shop pay it. */
  gas?: GasPayer
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
  /** Whether a client key created it. Such a key is public, so a stranger may have, for nothing. */
  isPublic?: true
  /** The payment link that its buyer opened. */
  paymentLinkId?: string
  /** The promotion code that the buyer entered. */
  promotionCode?: string
  /** The proof that the recipient is on the allow-list of a phase. */
  allowListProof?: readonly string[]
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
    /** What became of the promotion code; absent without one. */
    promotion?: PromotionStatus
  }
  /**
   * Latest first. A payment that was pending when the price changed is accepted at the price that it pays.
   */
  earlierQuotes?: EarlierQuote[]
  payment: PaymentTerms &
    PreparedSignature & {
      status: PaymentStatus
      failureReason?: { code: PaymentFailureCode; message?: string }
    }
  /** Absent if an accepted payment is captured at once. */
  capture?: CaptureState
  payments: PaymentState[]
  refunds: RefundState[]
  /** Oldest first; absent until the first one. */
  shipments?: ShipmentState[]
  /** Transactions that the buyer reported. They prove nothing. */
  hints: string[]
  /** When the last of them was reported. */
  hintedAtMs?: number
  /** When a node last knew one of them. */
  reportKnownAtMs?: number
  /** Whether the sweep of the proceeds to their recipients was requested. */
  isSwept: boolean
  /** Whether it was requested before a lost payment came back. */
  wasSwept?: true
  /** The sweeps that the chain refuses, by key. */
  sweepRefusals?: Record<string, SweepRefusal>
  /** The sweeps that their recipients could not receive, by key. */
  sweepCredits?: Record<string, SweepCredit>
}

/** The contents of a quote, before the order takes it. */
export type QuotedTerms = Pick<
  OrderState,
  'locale' | 'metadata' | 'recipient' | 'promotionCode' | 'allowListProof'
> & {
  lineItems: LineItemState[]
  quote: OrderState['quote']
  payment: PaymentTerms
  /** The payer's funds according to the chain; absent while the order has no price or no payer. */
  funds?: FundsCheck
}

/** Whether the payer can pay, and if so the transaction to sign. An authorization takes no funds for gas. */
export type FundsCheck = Omit<PreparedSignature, 'serializedTransaction'> &
  (
    | { status: 'ready'; serializedTransaction: string }
    | { status: 'insufficient-funds' }
    | { status: 'insufficient-funds-for-gas' }
  )
