import { invalid } from '../../../engine/invalidInput.js'
import type { PaymentTerms, QuotedTerms } from '../../../engine/order/order.js'
import { quoteOrder } from '../../../engine/order/quote.js'
import type { LineItemRequest } from '../../../engine/order/quoteInput.js'
import { readPaymentTerms } from '../../../engine/order/readPaymentTerms.js'
import {
  type AskedItem,
  type AskedTerms,
  assertTotalPrice,
  quotedTerms,
} from '../../../engine/order/terms.js'
import { explainChainAddress, parseChainAddress } from '../../../engine/wallet/parseChainAddress.js'
import type { PaymentInput } from '../../../schema/paymentInput.js'
import { listChainCurrencies, testRates } from '../../network.js'
import { HttpError } from '../http.js'
import { preparePayment } from '../payment.js'
import { findSold } from '../sale.js'
import type { TestWorld } from '../testWorld.js'

const readAddress = (text: string, field: string, chain: string): string => {
  const address = parseChainAddress(chain, text)
  if (address) return address
  throw invalid(field, explainChainAddress(text, chain))
}

/** Reads the terms of a payment. */
export const readPayment = ({ enabled }: TestWorld, input: PaymentInput): PaymentTerms => {
  const { refundAddress, ...terms } = readPaymentTerms(input, {
    enabled,
    find: (name) => {
      const chain = enabled.find((one) => one === name)
      const currencies = chain && listChainCurrencies(chain)
      return (
        currencies && {
          currencies,
          taken: currencies,
          parseAddress: (text) => parseChainAddress(name, text),
          explainAddress: (text) => explainChainAddress(text, name),
        }
      )
    },
  })
  return {
    ...terms,
    ...(refundAddress !== undefined && {
      refundAddress: readAddress(refundAddress, 'payment.refundAddress', terms.chain),
    }),
  }
}

/** Finds a requested item's collection and template, with what is left of them. */
const findLineItem = (
  world: TestWorld,
  { collectionId, templateId, quantity, callData }: AskedItem,
  asked: Pick<AskedTerms, 'recipient'>,
): LineItemRequest => {
  const { collections, enabled } = world
  const { recipient } = asked
  const collection = collections.get(collectionId)
  if (!collection) throw new HttpError(404, `Collection ${collectionId} not found`)
  const copied = templateId === undefined ? undefined : collection.templates?.[templateId]
  if (templateId !== undefined && !copied) throw new HttpError(404, `Template ${templateId} not found`)
  const count = (key: string, supply: number | undefined): number | undefined => {
    if (collection.isSoldOut) return 0
    return supply === undefined ? undefined : supply - (collection.sold.get(key) ?? 0)
  }
  const { chain, name, description, imageUrl, price = null, currency, requires = [] } = collection
  const isChainEnabled = enabled.includes(chain)
  const named = isChainEnabled ? recipient?.walletAddress : undefined
  const walletAddress = named === undefined ? undefined : readAddress(named, 'recipient.walletAddress', chain)
  const looks = { name, description, imageUrl }
  return {
    collection: {
      id: collectionId,
      chain,
      ...looks,
      price,
      priceCurrency: currency,
      requires,
      isChainEnabled,
      ...(collection.sale && { sale: collection.sale }),
      availableCount: count('', collection.supply),
    },
    ...(copied &&
      templateId !== undefined && {
        template: { ...looks, ...copied, id: templateId, availableCount: count(templateId, copied.supply) },
      }),
    quantity,
    callData,
    ...(walletAddress !== undefined && { walletAddress }),
    ...findSold(world, collection, { recipient: asked.recipient, walletAddress }),
  }
}

/** Prices the requested terms. */
export const price = (world: TestWorld, asked: AskedTerms, isFirst: boolean) => {
  const items = asked.items.map((item, index) => {
    const request = findLineItem(world, item, asked)
    if (isFirst) assertTotalPrice(request.collection, item, index)
    return request
  })
  const { payment, recipient, promotionCode } = asked
  const config = { quoteTtlMs: world.quoteTtlMs, salesTaxBasisPoints: 0, shippingUsd: '0', rates: testRates }
  return quoteOrder({ items, recipient, payment, promotionCode, nowMs: world.now() }, config)
}

/** Prices the requested terms, and prepares their payment. */
export const quote = (world: TestWorld, asked: AskedTerms, isFirst: boolean): QuotedTerms => {
  const quoted = price(world, asked, isFirst)
  const { orderId, payment } = asked
  const funds = preparePayment(world, {
    orderId,
    quote: quoted.quote,
    payment: { ...payment, status: 'requires-quote' },
    payments: [],
  })
  return { ...quotedTerms(asked, quoted), ...(funds && { funds }) }
}
