import type { PaymentTerms } from 'kassa/engine'
import { explainChainAddress, explainDisabled } from 'kassa/engine'
import type { PaymentInput } from 'kassa/schema'
import { listTaken } from '../collections/listTaken.js'
import type { ChainRegistry, Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import type { ChainPort } from '../ports/chain.js'

const refuse = (path: string, message: string): never => {
  throw new ServiceError('input-invalid', `${path}: ${message}`)
}

const findChain = (chains: ChainRegistry, method: string): ChainPort =>
  chains.get(method) ?? refuse('payment.method', explainDisabled(method, chains.enabled))

/**
 * Reads how a client pays: an enabled chain, a currency accepted on it, and an address on it.
 *
 * @throws {@link ServiceError} `input-invalid`, naming the field.
 */
export const readPaymentTerms = (
  { chains, config }: Pick<Deps, 'chains' | 'config'>,
  input: PaymentInput,
): PaymentTerms => {
  const chain = findChain(chains, input.method)
  const taken = listTaken(config, chain)
  const currency = taken.find((one) => one.currency === input.currency.toLowerCase())
  if (!currency) {
    const list = taken.map((one) => one.currency).join(', ') || 'none'
    const isKnown = chain.currencies.some((one) => one.currency === input.currency.toLowerCase())
    const message = isKnown
      ? `accepted on ${chain.chain}; accepted: ${list}`
      : `known on ${chain.chain}; known are ${list}`
    return refuse('payment.currency', `${input.currency} is not ${message}`)
  }
  const { payerAddress: given, receiptEmail, refundAddress } = input
  const payerAddress = given === undefined ? undefined : chain.parseAddress(given)
  if (given !== undefined && payerAddress === undefined) {
    return refuse('payment.payerAddress', explainChainAddress(given, chain.chain))
  }
  return {
    chain: chain.chain,
    currency: currency.currency,
    decimals: currency.decimals,
    ...(payerAddress !== undefined && { payerAddress }),
    ...(receiptEmail !== undefined && { receiptEmail }),
    // Read against the chain of the order, which a change of the payment may leave as it is.
    ...(refundAddress !== undefined && { refundAddress }),
  }
}
