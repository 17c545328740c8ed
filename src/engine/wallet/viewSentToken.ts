import { fromBaseUnits } from '../../schema/baseUnits.js'
import type { SentToken } from '../../schema/transaction.js'
import { parseChainAddress } from './parseChainAddress.js'

/** What a call transfers. Coins have no `contract`, and units of a fungible token no `tokenId`. */
type Transfer = {
  contract: string | undefined
  tokenId: bigint | undefined
  units: bigint
  recipient: string
}

/** The chain of a transfer, and the currencies whose decimals are known there. */
type SentOn = {
  chain: string
  currencies: readonly { currency: string; decimals: number; address?: string | undefined }[]
}

/**
 * Returns what a transfer sends, as a transaction shows it. An amount cannot be shown without the decimals of its
 * currency, so one of an unknown contract is left out.
 *
 * @source interface.md "Wallet transaction"
 */
export const viewSentToken = (
  { contract, tokenId, units, recipient }: Transfer,
  { chain, currencies }: SentOn,
): SentToken | undefined => {
  const params = { recipient: `${chain}:${recipient}`, recipientAddress: recipient }
  if (tokenId !== undefined) {
    return { token: `${chain}:${contract}:${tokenId}`, params: { amount: `${units}`, ...params } }
  }
  const canonical = (address: string | undefined) =>
    address === undefined ? undefined : (parseChainAddress(chain, address) ?? address)
  const known = currencies.find(({ address }) => canonical(address) === canonical(contract))
  if (!known) return undefined
  const amount = fromBaseUnits(units, known.decimals)
  return { token: `${chain}:${known.currency}`, params: { amount, ...params } }
}
