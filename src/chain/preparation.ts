import { type Address, getAddress, type Hex, isAddress, parseTransaction } from 'viem'
import { KassaError } from '../errors.js'
import { evmChains, isEvmChainName, type Order } from '../schema/index.js'

/**
 * The transaction that pays for an order, decoded.
 *
 * @units `valueWei` is in wei of the chain's native currency.
 */
export type PaymentTransaction = {
  /** The chain by the interface's name. */
  chain: string
  chainId: number
  /** Who is expected to pay; undefined when the order leaves it open. */
  payerAddress: Address | undefined
  to: Address
  valueWei: bigint
  data: Hex
  gas: bigint | undefined
}

const invalid = (reason: string, cause?: unknown): KassaError =>
  new KassaError('pay.preparation-invalid', { reason }, { cause })

const isEip1559 = (text: string): text is `0x02${string}` => /^0x02[0-9a-fA-F]+$/.test(text)

const parse = (serializedTransaction: string) => {
  if (!isEip1559(serializedTransaction)) throw invalid('it is not a serialised EIP-1559 transaction')
  try {
    return parseTransaction(serializedTransaction)
  } catch (cause) {
    throw invalid('it cannot be decoded', cause)
  }
}

/**
 * Decodes the transaction an order asks the buyer to sign.
 *
 * @returns The transaction; undefined while the order has none.
 * @throws {@link KassaError} `pay.preparation-invalid` when it cannot be decoded or contradicts itself.
 * @source answers.md "Order states"
 */
export const readPreparation = (order: Order): PaymentTransaction | undefined => {
  const { preparation } = order.payment
  if (!preparation?.serializedTransaction) return undefined
  const transaction = parse(preparation.serializedTransaction)
  if (!transaction.to) throw invalid('it creates a contract instead of paying')
  if (!transaction.chainId) throw invalid('it names no chain')
  if (transaction.accessList?.length) throw invalid('it carries an access list')
  const { chain, payerAddress } = preparation
  if (isEvmChainName(chain) && evmChains[chain].chainId !== transaction.chainId) {
    throw invalid(`it is for chain ${transaction.chainId}, not for ${chain}`)
  }
  if (payerAddress !== undefined && !isAddress(payerAddress, { strict: false })) {
    throw invalid('its payer is not an address')
  }
  return {
    chain,
    chainId: transaction.chainId,
    payerAddress: payerAddress === undefined ? undefined : getAddress(payerAddress),
    to: transaction.to,
    valueWei: transaction.value ?? 0n,
    data: transaction.data ?? '0x',
    gas: transaction.gas,
  }
}
