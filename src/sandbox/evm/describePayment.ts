import { type Address, decodeFunctionData, erc20Abi, formatUnits, type Hex, hexToBigInt } from 'viem'
import type { SandboxPayment } from '../sandboxPayment.js'
import type { SandboxChain } from './openSandbox.js'

/** The fields of `eth_sendTransaction` that a payment has. */
export type SendRequest = { from?: Address; to?: Address; value?: Hex; data?: Hex; gas?: Hex; chainId?: Hex }

const readTransfer = (data: Hex | undefined): readonly [Address, bigint] | undefined => {
  if (!data || data === '0x') return undefined
  try {
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data })
    return functionName === 'transfer' ? args : undefined
  } catch {
    // For a call of an unknown contract, the amount is the transaction's value.
    return undefined
  }
}

/** Describes what a transaction pays and to whom, so that the owner can decide. */
export const describePayment = (
  { name, tokens }: Pick<SandboxChain, 'name' | 'tokens'>,
  nativeCurrency: string,
  { from, to, value, data }: SendRequest & { from: Address; to: Address },
): SandboxPayment => {
  const payment = { chain: name, from }
  const token = Object.entries(tokens).find(([, { address }]) => address.toLowerCase() === to.toLowerCase())
  const transfer = token && readTransfer(data)
  if (transfer) {
    const [currency, { decimals }] = token
    return { ...payment, to: transfer[0], amount: formatUnits(transfer[1], decimals), currency }
  }
  return { ...payment, to, amount: formatUnits(hexToBigInt(value ?? '0x0'), 18), currency: nativeCurrency }
}
