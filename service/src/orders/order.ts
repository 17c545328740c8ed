import type {
  BuyerDetail,
  DeliveredToken,
  DeliveryStatus,
  Gift,
  LineItemQuoteStatus,
  Locale,
  OrderMetadata,
  PaymentFailureCode,
  PaymentStatus,
  Phase,
  PhysicalAddress,
  QuoteStatus,
} from 'kassa/schema'

/** Who gets the goods. */
export type Recipient = {
  email?: string
  walletAddress?: string
  physicalAddress?: PhysicalAddress
}

/** Why a line item cannot be had now. */
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

/** One line item as the service keeps it. */
export type LineItemState = {
  collectionId: string
  /** The template that its tokens are copies of. */
  templateId?: string
  chain: string
  quantity: number
  /** What its collection required of the buyer when it was quoted. */
  requires?: readonly BuyerDetail[]
  /** As the client sent it, the quantity filled in. */
  callData: Record<string, unknown>
  metadata: { name: string; description: string; imageUrl: string }
  quote: {
    status: LineItemQuoteStatus
    unavailabilityReason?: Unavailability
    charges?: LineItemCharges
    /** Who earns what it costs, as the chain of the payment spells the address; the treasury without it. */
    payee?: string
  }
  delivery: {
    status: DeliveryStatus
    /** Where the tokens go: known at once for a wallet recipient, for an e-mail user once delivered. */
    walletAddress?: string
    /** Given out before the mint, so that a second try mints the same tokens. */
    tokenIds?: string[]
    /** When the subscription ends, fixed with the ids. */
    expiresAtMs?: number
    /** What is minted of it, in the order of the ids, while more than one transaction has to. */
    minted?: MintedPart[]
    /** Which attempt at the delivery is the present one, from the second on. */
    attempt?: number
    txId?: string
    tokens?: DeliveredToken[]
  }
}

/** What a payment turned out to be for: nothing until it is confirmed. */
export type PaymentUse = 'undecided' | 'accepted' | 'returned'

/** A payment seen on chain, as the order accounts for it. */
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
  /** Whether a deep reorganisation took it back after it was final. It counts again once it is final again. */
  isLost?: true
}

/** How often the chain refused to move takings, and why the last time. */
export type SweepRefusal = { attempts: number; reason: string }

/** Why money goes back. */
export type RefundReason = PaymentFailureCode | 'overpaid' | 'duplicate' | 'undelivered'

/** All or part of one payment on its way back to who paid it. */
export type RefundState = {
  id: string
  paymentId: string
  /** @units base units of the payment's currency */
  units: string
  reason: RefundReason
  /**
   * `held` waits for lower fees, for room under a cap or for the operator; `failed` was refused by the chain again
   * and again, and waits for the operator; `credited` waits in `contract` for the payer to claim it.
   */
  status: 'pending' | 'held' | 'failed' | 'credited' | 'sent'
  txId?: string
  contract?: string
}

/** How an order is to be paid. */
export type PaymentTerms = {
  chain: string
  currency: string
  decimals: number
  payerAddress?: string
  receiptEmail?: string
}

/** A price the order had before, for the same goods in the same currency: its quote, and those of the line items. */
export type EarlierQuote = { quote: OrderState['quote']; items: LineItemState['quote'][] }

/** An order as the service keeps it: one document. Everything shown of it is derived by `viewOrder`. */
export type OrderState = {
  orderId: string
  projectId: string
  locale: Locale
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
    /** What one whole unit of the payment currency was worth in US dollars; absent where no rate was known. */
    usdRate?: string
  }
  /** Latest first. A payment that was on its way when the price changed is honoured by the price it pays. */
  earlierQuotes?: EarlierQuote[]
  payment: PaymentTerms & {
    status: PaymentStatus
    serializedTransaction?: string
    failureReason?: { code: PaymentFailureCode; message?: string }
  }
  payments: PaymentState[]
  refunds: RefundState[]
  /** Transactions the buyer reported; they prove nothing. */
  hints: string[]
  /** When the last of them came. */
  hintedAtMs?: number
  /** Whether what was paid has been asked to move to those who earned it. */
  isSwept: boolean
  /** What of it the chain refuses to move, by the key of the sweep. */
  sweepRefusals?: Record<string, SweepRefusal>
}

/** What a quote is made of, before the order takes it on. */
export type QuotedTerms = Pick<OrderState, 'locale' | 'metadata' | 'recipient'> & {
  lineItems: LineItemState[]
  quote: OrderState['quote']
  payment: PaymentTerms
  /** What the chain says of the payer; absent while the order has no price or no payer. */
  funds?: FundsCheck
}

/** Whether the payer can pay, and if so the transaction to sign. */
export type FundsCheck =
  | { status: 'ready'; serializedTransaction: string }
  | { status: 'insufficient-funds' }
  | { status: 'insufficient-funds-for-gas' }
