import { decodeFunctionData, erc20Abi } from 'viem'
import { KassaError } from '../errors.js'
import { type Amount, evmChains, fromBaseUnits, isEvmChainName, toBaseUnits } from '../schema/index.js'
import type { PaymentTransaction } from './preparation.js'

/** Whether a currency is the one that pays for gas on a chain. */
export const isNativeCurrency = (chain: string, currency: string): boolean =>
  isEvmChainName(chain) && evmChains[chain].nativeCurrency === currency.toLowerCase()

const readTransferUnits = (transaction: PaymentTransaction): bigint => {
  if (transaction.valueWei !== 0n) {
    throw new KassaError('pay.preparation-invalid', {
      reason: 'a token payment also sends the native currency',
    })
  }
  try {
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data: transaction.data })
    if (functionName === 'transfer') return args[1]
  } catch {
    // Falls through: calldata of another function is refused just like undecodable calldata.
  }
  throw new KassaError('pay.preparation-invalid', { reason: 'it does something other than a token transfer' })
}

/**
 * Holds what a transaction would pay against what the order costs, to the last base unit.
 *
 * @param decimals - Decimals of the currency: 18 for the native one, the token's own as the chain tells them.
 * @returns What is paid, in base units.
 * @throws {@link KassaError} `pay.amount-mismatch`, or `pay.preparation-invalid` when it does anything but pay.
 */
export const checkAmount = (transaction: PaymentTransaction, total: Amount, decimals: number): bigint => {
  const isNative = isNativeCurrency(transaction.chain, total.currency)
  const units = isNative ? transaction.valueWei : readTransferUnits(transaction)
  if (toBaseUnits(total.amount, decimals) !== units) {
    throw new KassaError('pay.amount-mismatch', {
      quoted: `${total.amount} ${total.currency}`,
      prepared: `${fromBaseUnits(units, decimals)} ${total.currency}`,
    })
  }
  return units
}
