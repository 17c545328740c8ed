import type { LineItemInput } from '../../schema/lineItemInput.js'
import { parseCollectionLocator } from '../../schema/locator.js'
import type { RecipientInput } from '../../schema/recipient.js'
import { invalid } from '../invalidInput.js'
import { withoutSignature } from './applyQuote.js'
import { equalsDecimal, multiplyDecimal } from './convert.js'
import type { OrderState, PaymentTerms, QuotedTerms, Recipient } from './order.js'

/** A requested item with its parsed locator. */
export type AskedItem = {
  collectionId: string
  templateId?: string
  quantity: number
  callData: Record<string, unknown>
}

/** The terms of an order, before it has a price. */
export type AskedTerms = {
  orderId: string
  projectId: string
  locale: OrderState['locale']
  metadata?: OrderState['metadata']
  recipient?: Recipient | undefined
  payment: PaymentTerms
  promotionCode?: string | undefined
  allowListProof?: readonly string[] | undefined
  items: readonly AskedItem[]
}

/** The terms that an unpaid order may change. */
export type TermsChange = Partial<Pick<AskedTerms, 'locale' | 'recipient' | 'payment' | 'allowListProof'>> & {
  /** Where refunds go, if the payment stays as it is. */
  refundAddress?: string
  /** `null` removes the code. */
  promotionCode?: string | null
}

/**
 * Reads the items that a client requests.
 *
 * @throws {@link InvalidInput} for a locator of another service.
 */
export const readLineItems = (namespace: string, inputs: readonly LineItemInput[]): AskedItem[] =>
  inputs.map(({ collectionLocator, callData = {}, quantity }, index) => {
    const parts = parseCollectionLocator(collectionLocator)
    if (parts?.namespace !== namespace) {
      const expected = `${namespace}:<collectionId> or ${namespace}:<collectionId>:<templateId>`
      throw invalid(`lineItems[${index}].collectionLocator`, `expected ${expected}`)
    }
    const { namespace: _, ...goods } = parts
    return { ...goods, quantity: quantity ?? callData.quantity ?? 1, callData }
  })

/**
 * Asserts that the total price that the client gave for an item, if any, is today's.
 *
 * @throws {@link InvalidInput} naming both amounts.
 */
export const assertTotalPrice = (
  { price, priceCurrency }: { price: string | null; priceCurrency: string | null },
  item: AskedItem,
  index: number,
): void => {
  const given = item.callData.totalPrice
  if (typeof given !== 'string' || price === null) return
  const expected = multiplyDecimal(price, item.quantity)
  if (equalsDecimal(given, expected)) return
  throw invalid(
    `lineItems[${index}].callData.totalPrice`,
    `expected ${expected} ${priceCurrency} (${price} × ${item.quantity}), got ${given}`,
  )
}

/** Reads the recipient of the goods, without the fields that the client left out. */
export const readRecipient = (input: RecipientInput | undefined): Recipient | undefined => {
  if (!input) return undefined
  const { email, walletAddress, physicalAddress } = input
  return {
    ...(email !== undefined && { email }),
    ...(walletAddress !== undefined && { walletAddress }),
    ...(physicalAddress && { physicalAddress }),
  }
}

/**
 * Returns the terms of an order with changes. It keeps the terms that an order never shows its buyer, because
 * a change cannot repeat them, and where its refunds go. A change may replace them.
 */
export const changeTerms = (order: OrderState, change: TermsChange): AskedTerms => {
  const { payment, refundAddress, recipient, locale, promotionCode } = change
  const { status: _s, failureReason: _f, ...known } = withoutSignature(order.payment)
  const { receiptEmail, refundAddress: knownAddress, x402Url } = known
  const physicalAddress = order.recipient?.physicalAddress
  return {
    orderId: order.orderId,
    projectId: order.projectId,
    locale: locale ?? order.locale,
    metadata: order.metadata,
    items: order.lineItems,
    promotionCode: promotionCode === undefined ? order.promotionCode : (promotionCode ?? undefined),
    allowListProof: change.allowListProof ?? order.allowListProof,
    payment: {
      ...(receiptEmail !== undefined && { receiptEmail }),
      ...(knownAddress !== undefined && { refundAddress: knownAddress }),
      ...(x402Url !== undefined && { x402Url }),
      ...(payment ?? known),
      ...(refundAddress !== undefined && { refundAddress }),
    },
    recipient: recipient ? { ...(physicalAddress && { physicalAddress }), ...recipient } : order.recipient,
  }
}

const unpromoted = {
  'not-found': 'this code is not valid for this order',
  expired: 'this code has expired',
  'used-up': 'this code has reached its usage limit',
} as const

/**
 * Asserts that the promotion code that a client just sent lowers the price.
 *
 * @throws {@link InvalidInput} saying why it does not. The message never contains the code.
 */
export const assertPromoted = ({ quote: { promotion = 'not-found' } }: Pick<QuotedTerms, 'quote'>): void => {
  if (promotion !== 'applied') throw invalid('promotionCode', unpromoted[promotion])
}

/** Returns the contents of a quote: the requested terms with their price. */
export const quotedTerms = (
  { locale, metadata, recipient, payment, promotionCode, allowListProof }: AskedTerms,
  quoted: Pick<QuotedTerms, 'lineItems' | 'quote'>,
): QuotedTerms => ({
  locale,
  payment,
  ...quoted,
  ...(metadata && { metadata }),
  ...(recipient && { recipient }),
  ...(promotionCode !== undefined && { promotionCode }),
  ...(allowListProof && { allowListProof }),
})
