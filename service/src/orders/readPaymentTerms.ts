import { isEvmChainName, type PaymentInput } from 'kassa/schema'
import type { ChainPort } from '../chains/port.js'
import type { ChainRegistry } from '../deps.js'
import { ServiceError } from '../errors.js'
import type { PaymentTerms } from './order.js'

const refuse = (path: string, message: string): never => {
  throw new ServiceError('input-invalid', `${path}: ${message}`)
}

const findChain = (chains: ChainRegistry, method: string): ChainPort => {
  if (!isEvmChainName(method)) return refuse('payment.method', `no EVM chain is called ${method}`)
  const enabled = chains.enabled.join(', ')
  return (
    chains.get(method) ??
    refuse('payment.method', `${method} is not enabled on this service; enabled are ${enabled}`)
  )
}

/**
 * Reads how a client wants to pay: an enabled chain, a currency known on it, an address of it.
 *
 * @throws {@link ServiceError} `input-invalid`, naming the field.
 */
export const readPaymentTerms = (chains: ChainRegistry, input: PaymentInput): PaymentTerms => {
  const chain = findChain(chains, input.method)
  const currency = chain.currencies.find((known) => known.currency === input.currency.toLowerCase())
  if (!currency) {
    const known = chain.currencies.map((one) => one.currency).join(', ')
    return refuse('payment.currency', `${input.currency} is not known on ${chain.chain}; known are ${known}`)
  }
  const { payerAddress: given, receiptEmail } = input
  const payerAddress = given === undefined ? undefined : chain.parseAddress(given)
  if (given !== undefined && payerAddress === undefined) {
    return refuse('payment.payerAddress', `expected an address on ${chain.chain}`)
  }
  return {
    chain: chain.chain,
    currency: currency.currency,
    decimals: currency.decimals,
    ...(payerAddress !== undefined && { payerAddress }),
    ...(receiptEmail !== undefined && { receiptEmail }),
  }
}
