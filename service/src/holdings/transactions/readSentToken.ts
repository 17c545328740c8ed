import { viewSentToken } from 'kassa/engine'
import type { SentToken } from 'kassa/schema'
import type { EncodedCall } from '#base/ports/calls.js'
import type { ChainPort } from '#base/ports/chain.js'
import { requireCalls } from './actingWallet.js'

/**
 * Reads which token a transaction sends, if sending it is all that the transaction does: coins, a currency of
 * the deployment, or an NFT.
 *
 * @source interface.md "Wallet transaction"
 */
export const readSentToken = (
  chain: ChainPort,
  calls: readonly (Pick<EncodedCall, 'to' | 'data'> & { value: string })[],
): SentToken | undefined => {
  const [call, ...others] = calls
  if (!call || others.length) return undefined
  const transfer = requireCalls(chain).readTransfer({ ...call, value: BigInt(call.value) })
  return transfer && viewSentToken(transfer, chain)
}
