import { type Address, getAddress, isAddress, isAddressEqual, zeroAddress } from 'viem'
import type { Translate } from '../language/createTranslate'

/** A token's valid recipient, or why the recipient is not allowed. */
export type CheckedRecipient = { address: Address } | { fault: string }

/**
 * Checks an address that a user typed or pasted. Mixed case is a checksum, which reveals a typo. An address
 * in one case has no checksum, so the confirmation shows it in full.
 *
 * @param owner - The wallet that holds the token.
 */
export const checkRecipient = (text: string, owner: string, t: Translate<'send'>): CheckedRecipient => {
  const given = text.trim()
  if (given === '') return { fault: t('enterAddress') }
  if (!/^0x[0-9a-fA-F]{40}$/.test(given)) return { fault: t('notAddress') }
  if (!isAddress(given)) return { fault: t('wrongChecksum') }
  const address = getAddress(given)
  if (isAddressEqual(address, zeroAddress)) return { fault: t('noOwner') }
  if (isAddress(owner, { strict: false }) && isAddressEqual(address, getAddress(owner)))
    return { fault: t('sameWallet') }
  return { address }
}
