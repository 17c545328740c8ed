import { fromBaseUnits, type SentToken } from 'kassa/schema'
import type { EncodedCall, Transfer } from '../ports/calls.js'
import type { ChainPort } from '../ports/chain.js'
import { requireCalls } from './actingWallet.js'

/**
 * An amount cannot be shown without its currency's decimals, so transfers of unknown contracts are left out.
 */
const describe = (
  { chain, currencies, parseAddress }: ChainPort,
  { contract, tokenId, units }: Transfer,
): { token: string; amount: string } | undefined => {
  if (tokenId !== undefined) return { token: `${chain}:${contract}:${tokenId}`, amount: `${units}` }
  const known = currencies.find(
    ({ address }) => (address === undefined ? undefined : parseAddress(address)) === contract,
  )
  return known && { token: `${chain}:${known.currency}`, amount: fromBaseUnits(units, known.decimals) }
}

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
  const shown = transfer && describe(chain, transfer)
  if (!shown) return undefined
  const { recipient } = transfer
  return {
    token: shown.token,
    params: {
      amount: shown.amount,
      recipient: `${chain.chain}:${recipient}`,
      recipientAddress: recipient,
    },
  }
}
