import type { BuyerDetail } from '../../schema/orderMembers.js'
import type { PaymentTerms, Recipient, Unavailability } from './order.js'
import type { SaleRules } from './sale.js'

/** A collection as pricing needs it. */
export type PricedCollection = {
  id: string
  chain: string
  name: string
  description: string
  imageUrl: string
  /** @units decimal string in whole units of `priceCurrency`; null while it is not for sale. */
  price: string | null
  priceCurrency: string | null
  /** The currencies that pay for it; null and undefined mean all that the deployment accepts. */
  currencies?: readonly string[] | null
  /** How many tokens can still be sold; undefined means no limit. */
  availableCount: number | undefined
  isChainEnabled: boolean
  /** The buyer's details that an order needs before it can be paid. */
  requires: readonly BuyerDetail[]
  /** The rules of its sale; null and undefined mean none. */
  sale?: SaleRules | null
}

/** A template of a collection as pricing needs it. Its tokens have the collection's price. */
export type PricedTemplate = Pick<
  PricedCollection,
  'id' | 'name' | 'description' | 'imageUrl' | 'availableCount'
>

/** A line item before it has a price. */
export type LineItemRequest = {
  collection: PricedCollection
  template?: PricedTemplate
  /** The recipient of its proceeds; absent for the treasury. */
  payee?: string
  quantity: number
  callData: Record<string, unknown>
  /** The recipient's wallet in the canonical form of the collection's chain. */
  walletAddress?: string
  /** The recipient's wallet as a limit counts it, where that is not `walletAddress`. */
  walletKey?: string
  /** Whether the recipient's wallet is on the allow-list of the present phase; undefined if it has none. */
  isListed?: boolean
  /** Why the recipient's wallet cannot hold it: a contract that does not accept it. */
  refusal?: string
  /** What counts against the limits of its sale already, by key. */
  held?: ReadonlyMap<string, number>
}

/** The requested items, their recipient and how they will be paid. */
export type QuoteInput = {
  items: readonly LineItemRequest[]
  recipient: Recipient | undefined
  payment: PaymentTerms
  promotionCode?: string | undefined
  nowMs: number
}

/** What pricing depends on: the current rates, and part of the configuration. */
export type QuoteConfig = {
  /** How long a price is valid. @units milliseconds */
  quoteTtlMs: number
  /** The sales tax. @units hundredths of a percent */
  salesTaxBasisPoints: number
  /** The shipping of each line item, once the order has a shipping address. @units decimal string in US dollars */
  shippingUsd: string
  /** The value of one whole unit of each currency. @units decimal strings in US dollars */
  rates: Readonly<Record<string, string>>
}

/** Creates the reason why a line item is unavailable. */
export const refuse = (code: Unavailability['code'], message: string): Unavailability => ({ code, message })
