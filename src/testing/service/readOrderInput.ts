import { type Address, getAddress, isAddress, zeroAddress } from 'viem'
import { isEvmChainName } from '../../schema/chains.js'
import type { LineItemInput } from '../../schema/lineItemInput.js'
import { parseCollectionLocator } from '../../schema/locator.js'
import type { PaymentInput } from '../../schema/paymentInput.js'
import { listCurrencies } from '../network.js'
import { badInput } from './httpError.js'
import type { AskedItem, TestTerms } from './testOrder.js'
import type { TestWorld } from './testWorld.js'

/** Reads an account's address; one in letters of both cases must have its checksum right. */
export const readAddress = (text: string, field: string, chain: string): Address => {
  const address = /[a-f]/.test(text) ? text : text.toLowerCase()
  if (isAddress(address) && address !== zeroAddress) return getAddress(address)
  throw badInput(`${field}: expected an address on ${chain}`)
}

/** Reads how a buyer wants to pay. */
export const readTerms = (
  { enabled }: TestWorld,
  { method, currency, payerAddress, receiptEmail }: PaymentInput,
): TestTerms => {
  if (!isEvmChainName(method)) throw badInput(`payment.method: no EVM chain is called ${method}`)
  if (!enabled.includes(method)) {
    const list = enabled.join(', ')
    throw badInput(`payment.method: ${method} is not enabled on this service; enabled are ${list}`)
  }
  const currencies = listCurrencies(method)
  const known = currencies.find((one) => one.currency === currency.toLowerCase())
  if (!known) {
    const list = currencies.map((one) => one.currency).join(', ')
    throw badInput(`payment.currency: ${currency} is not known on ${method}; known are ${list}`)
  }
  return {
    chain: method,
    currency: known.currency,
    decimals: known.decimals,
    token: known.address,
    ...(receiptEmail !== undefined && { receiptEmail }),
    ...(payerAddress !== undefined && {
      payerAddress: readAddress(payerAddress, 'payment.payerAddress', method),
    }),
  }
}

/** Reads what a buyer wants to have. */
export const readItems = (inputs: readonly LineItemInput[]): AskedItem[] =>
  inputs.map(({ collectionLocator, callData = {} }, index) => {
    const parts = parseCollectionLocator(collectionLocator)
    if (parts?.namespace !== 'kassa') {
      throw badInput(
        `lineItems[${index}].collectionLocator: expected kassa:<collectionId> or kassa:<collectionId>:<templateId>`,
      )
    }
    const { collectionId, templateId } = parts
    const quantity = callData.quantity ?? 1
    return { collectionId, templateId, quantity, callData: { ...callData, quantity } }
  })
