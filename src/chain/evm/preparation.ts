import { type Address, getAddress, type Hex, isAddress, parseTransaction, serializeTransaction } from 'viem'
import { payError } from '../../errors/payError.js'

import { evmChains, isEvmChainName } from '../../schema/chains.js'
import type { EvmChainName, Order } from '../../schema/index.js'
import { toLine } from '../line.js'
import { invalid } from '../refusals.js'

/**
 * The transaction that pays for an order, decoded.
 *
 * @units `valueWei` is in wei of the chain's native currency.
 */
export type PaymentTransaction = {
  /** The chain by the interface's name. */
  chain: EvmChainName
  chainId: number
  /** The account that must pay. */
  payerAddress: Address
  to: Address
  valueWei: bigint
  data: Hex
  gas: bigint | undefined
}

// In hex digits. A payment takes at most a third of it; longer data is not worth decoding.
const maxLength = 2_048

// The first byte excludes access lists, blobs, and authorisations that delegate an account to a contract. A
// legacy transaction has no type byte: it is an RLP list, which begins with 0xc0 or more.
const isPlain = (text: string): text is `0x${string}` => /^0x(?:02|[c-f][0-9a-f])[0-9a-f]+$/.test(text)

const parse = (serializedTransaction: string) => {
  if (serializedTransaction.length > maxLength) throw invalid('it is longer than any payment')
  const text = serializedTransaction.toLowerCase()
  if (!isPlain(text)) throw invalid('it is neither a serialised EIP-1559 transaction nor a legacy one')
  try {
    const transaction = parseTransaction(text)
    // The signer decodes these bytes too, so they must have only one reading.
    return { ...transaction, isCanonical: serializeTransaction(transaction) === text }
  } catch (cause) {
    throw invalid('it cannot be decoded', cause)
  }
}

const nameChain = (chainId: number): string =>
  Object.entries(evmChains).find(([, chain]) => chain.chainId === chainId)?.[0] ?? `chain ${chainId}`

/**
 * Checks the chain of a preparation against the one on which the order is paid.
 *
 * @param chainId - The chain of what is signed, where that names it.
 * @throws {@link KassaError} `pay.chain-not-configured`, `pay.chain-mismatch`.
 */
export const checkChain = (chain: string, method: string | undefined, chainId?: number): EvmChainName => {
  if (!isEvmChainName(chain)) throw payError('pay.chain-not-configured', { chain: toLine(chain) })
  if (chainId !== undefined && evmChains[chain].chainId !== chainId) {
    throw payError('pay.chain-mismatch', { expected: chain, prepared: nameChain(chainId) })
  }
  if (method !== undefined && isEvmChainName(method) && method !== chain) {
    throw payError('pay.chain-mismatch', { expected: method, prepared: chain })
  }
  return chain
}

/**
 * Reads the account that must pay.
 *
 * @throws {@link KassaError} `pay.preparation-invalid`.
 */
export const readPayer = (payerAddress: string | undefined): Address => {
  if (payerAddress === undefined || !isAddress(payerAddress, { strict: false })) {
    throw invalid('it does not name the payer')
  }
  return getAddress(payerAddress)
}

/**
 * Decodes the transaction an order asks the buyer to sign, and checks it against the chain and the payer the
 * order names.
 *
 * @returns The transaction; undefined while the order has none.
 * @throws {@link KassaError} `pay.preparation-invalid` when it cannot be decoded or is not of a payment's
 * kind; `pay.chain-mismatch`; `pay.chain-not-configured` for a chain this package does not know.
 * @source answers.md "Order states"
 */
export const readPreparation = (order: Pick<Order, 'payment'>): PaymentTransaction | undefined => {
  const { preparation, method } = order.payment
  if (!preparation?.serializedTransaction) return undefined
  const transaction = parse(preparation.serializedTransaction)
  if ('r' in transaction) throw invalid('it is signed already')
  if (!transaction.to) throw invalid('it creates a contract instead of paying')
  if (!transaction.chainId) throw invalid('it names no chain')
  if (transaction.accessList?.length) throw invalid('it carries an access list')
  if (!transaction.isCanonical) throw invalid('its serialization is not canonical')
  const payerAddress = readPayer(preparation.payerAddress)
  return {
    chain: checkChain(preparation.chain, method, transaction.chainId),
    chainId: transaction.chainId,
    payerAddress,
    to: getAddress(transaction.to),
    valueWei: transaction.value ?? 0n,
    data: transaction.data ?? '0x',
    gas: transaction.gas,
  }
}
