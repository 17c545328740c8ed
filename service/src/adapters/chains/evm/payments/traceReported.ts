import {
  type Address,
  decodeFunctionData,
  erc20Abi,
  type Hex,
  isAddressEqual,
  isHash,
  type PublicClient,
} from 'viem'
import type { ChainPort } from '#base/ports/chain.js'

/** The token in which an order is paid, and its deposit address. */
type TokenTarget = { token: Address; target: string }

/** Returns how much a `transfer` moves to the target, or `undefined` if it is another call. */
const readTransfer = (to: Address | null, data: Hex, { token, target }: TokenTarget): bigint | undefined => {
  if (!to || !isAddressEqual(to, token)) return undefined
  try {
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data })
    if (functionName !== 'transfer' || args[0].toLowerCase() !== target.toLowerCase()) return undefined
    return args[1]
  } catch {
    return undefined
  }
}

const unless =
  (name: string) =>
  (error: unknown): undefined => {
    if (!(error instanceof Error && error.name === name)) throw error
  }

/**
 * Checks what became of a transaction that a buyer reported for an order.
 *
 * @param paid - Absent for the native currency, where no block includes a transaction that moves more than
 * its sender has, and for a currency of another chain.
 */
export const traceReported = async (
  client: PublicClient,
  txId: string,
  paid: TokenTarget | undefined,
): ReturnType<ChainPort['traceReported']> => {
  if (!isHash(txId)) return 'unknown'
  const transaction = await client.getTransaction({ hash: txId }).catch(unless('TransactionNotFoundError'))
  if (!transaction) return 'unknown'
  const { blockNumber, from, to, input } = transaction
  const units = paid && readTransfer(to, input, paid)
  if (!paid || blockNumber === null || units === undefined) return 'known'
  const receipt = await client
    .getTransactionReceipt({ hash: txId })
    .catch(unless('TransactionReceiptNotFoundError'))
  if (receipt?.status !== 'reverted') return 'known'
  const args = [from] as const
  const call = { address: paid.token, abi: erc20Abi, functionName: 'balanceOf', args, blockNumber } as const
  return (await client.readContract(call)) < units ? 'insufficient-funds' : 'known'
}
