import { type Address, getAddress, isAddress, isAddressEqual, zeroAddress } from 'viem'

/** A token's valid recipient, or why the recipient is not allowed. */
export type CheckedRecipient = { address: Address } | { fault: string }

/**
 * Checks an address that a user typed or pasted. Mixed case is a checksum, which reveals a typo. An address
 * in one case has no checksum, so the confirmation shows it in full.
 *
 * @param owner - The wallet that holds the token.
 */
export const checkRecipient = (text: string, owner: string): CheckedRecipient => {
  const given = text.trim()
  if (given === '') return { fault: 'Enter the address to send it to.' }
  if (!/^0x[0-9a-fA-F]{40}$/.test(given))
    return { fault: 'An address begins with 0x, and 40 digits from 0 to 9 and a to f follow.' }
  if (!isAddress(given))
    return { fault: 'A letter or digit of this address is wrong: its checksum does not fit. Copy it anew.' }
  const address = getAddress(given)
  if (isAddressEqual(address, zeroAddress))
    return { fault: 'This address has no owner: what is sent there is lost.' }
  if (isAddress(owner, { strict: false }) && isAddressEqual(address, getAddress(owner)))
    return { fault: 'This is the wallet it is in already.' }
  return { address }
}
