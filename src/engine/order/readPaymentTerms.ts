import type { PaymentInput } from '../../schema/paymentInput.js'
import { explainDisabled } from '../explainDisabled.js'
import { invalid } from '../invalidInput.js'
import type { PaymentTerms } from './order.js'

type Currency = { currency: string; decimals: number }

/** A chain that takes payments: its currencies, and those of them that the deployment takes. */
type PayableChain = {
  currencies: readonly Currency[]
  taken: readonly Currency[]
  parseAddress(text: string): string | undefined
  /** Says why a text is no address on it. */
  explainAddress(text: string): string
}

type PayableChains = { enabled: readonly string[]; find(chain: string): PayableChain | undefined }

/**
 * Reads how a client pays: an enabled chain, a currency accepted on it, and an address on it. A `refundAddress` is
 * not read: it belongs to the chain of the order, which a change of the payment may leave as it is.
 *
 * @throws {@link InvalidInput} naming the field.
 */
export const readPaymentTerms = (
  { method, currency: given, payerAddress, receiptEmail, refundAddress }: PaymentInput,
  { enabled, find }: PayableChains,
): PaymentTerms => {
  const chain = find(method)
  if (!chain) throw invalid('payment.method', explainDisabled(method, enabled))
  const isGiven = ({ currency }: Currency): boolean => currency === given.toLowerCase()
  const currency = chain.taken.find(isGiven)
  if (!currency) {
    const list = chain.taken.map((one) => one.currency).join(', ') || 'none'
    const fault = chain.currencies.some(isGiven)
      ? `accepted on ${method}; accepted: ${list}`
      : `known on ${method}; known are ${list}`
    throw invalid('payment.currency', `${given} is not ${fault}`)
  }
  const payer = payerAddress === undefined ? undefined : chain.parseAddress(payerAddress)
  if (payerAddress !== undefined && payer === undefined) {
    throw invalid('payment.payerAddress', chain.explainAddress(payerAddress))
  }
  return {
    chain: method,
    currency: currency.currency,
    decimals: currency.decimals,
    ...(payer !== undefined && { payerAddress: payer }),
    ...(receiptEmail !== undefined && { receiptEmail }),
    ...(refundAddress !== undefined && { refundAddress }),
  }
}
