import { decodeFunctionData, erc20Abi, formatEther, formatUnits, type Hex, hexToBigInt } from 'viem'
import type { EvmNetwork } from '../networks'

/** The fields of `eth_sendTransaction` that a payment has. */
export type TransactionRequest = {
  from?: string
  to?: Hex
  value?: Hex
  data?: Hex
  gas?: Hex
  chainId?: Hex
}

const readTransfer = (data: Hex | undefined): { to: string; units: bigint } | undefined => {
  if (!data || data === '0x') return undefined
  try {
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data })
    return functionName === 'transfer' ? { to: args[0], units: args[1] } : undefined
  } catch {
    // For a call of an unknown contract, the amount is the transaction's value.
    return undefined
  }
}

/** Describes what a transaction pays and to whom, so that the owner can decide. */
export const describePayment = (
  transaction: TransactionRequest,
  network: EvmNetwork,
): { amount: string; currency: string; to: string } => {
  const token = Object.entries(network.tokens).find(
    ([, { address }]) => address.toLowerCase() === transaction.to?.toLowerCase(),
  )
  const transfer = token && readTransfer(transaction.data)
  if (transfer) {
    const [currency, { decimals }] = token
    return { amount: formatUnits(transfer.units, decimals), currency, to: transfer.to }
  }
  return {
    amount: formatEther(hexToBigInt(transaction.value ?? '0x0')),
    currency: network.nativeCurrency,
    to: transaction.to ?? '',
  }
}
