import type { EvmChainName } from '../../schema/chains.js'
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
} from '../../schema/members.js'
import type { RecipientInput } from '../../schema/recipient.js'

/** What a buyer asked for in one line item. */
export type AskedItem = {
  collectionId: string
  templateId?: string | undefined
  quantity: number
  callData: Record<string, unknown>
}

/** One line item, as the test service keeps it. @units `totalUnits` in base units of the payment's currency */
export type TestItem = AskedItem & {
  chain: string
  metadata: { name: string; description: string; imageUrl: string }
  quote: {
    status: LineItemQuoteStatus
    unavailabilityReason?: { code: string; message: string }
    totalUnits?: bigint
  }
  delivery: { status: DeliveryStatus; walletAddress?: string; txId?: string; tokens?: DeliveredToken[] }
  /** What its collection requires of the buyer. */
  requires?: readonly BuyerDetail[] | undefined
  /** Whether a test wants its delivery to fail. */
  isDoomed?: boolean
}

/** A payment that is in a block, and what it turned out to be for. */
export type TestPayment = {
  txId: string
  chain: string
  currency: string
  decimals: number
  units: bigint
  payer: string
  minedAtMs: number
  use: 'undecided' | 'accepted' | 'returned'
}

/** Money on its way back, from the moment on at which it is sent. */
export type TestRefund = { units: bigint; paymentTxId: string; txId: string; sentAtMs: number }

/** How an order is to be paid. */
export type TestTerms = {
  chain: EvmChainName
  currency: string
  decimals: number
  token: `0x${string}` | undefined
  payerAddress?: `0x${string}` | undefined
  receiptEmail?: string | undefined
}

/** An order, as the test service keeps it. */
export type TestOrder = {
  orderId: string
  clientSecret: string
  createdAtMs: number
  locale: string
  metadata?: OrderMetadata | undefined
  recipient?: RecipientInput | undefined
  gift?: Gift | undefined
  phase: Phase
  items: TestItem[]
  quote: { status: QuoteStatus; quotedAtMs: number; expiresAtMs?: number; totalUnits?: bigint }
  payment: TestTerms & {
    status: PaymentStatus
    serializedTransaction?: string
    failureReason?: { code: PaymentFailureCode; message: string }
  }
  payments: TestPayment[]
  /** When the payment that pays for it was confirmed. */
  acceptedAtMs?: number
  /** When the buyer last said that they have paid. */
  hintedAtMs?: number
  refunds: TestRefund[]
}
