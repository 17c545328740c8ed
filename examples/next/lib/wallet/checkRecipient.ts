import { type Address, getAddress, isAddress, isAddressEqual, zeroAddress } from 'viem'

/** Where a token may go, or why it may not go there. */
export type CheckedRecipient = { address: Address } | { fault: string }

/**
 * Looks at an address that somebody typed or pasted. Upper and lower case in one are a checksum: a slip of the hand
 * in it is found. All in one case, there is nothing to find it by, so the confirmation shows the address in full.
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
    return { fault: 'Nobody owns this address: what is sent there is lost.' }
  if (isAddress(owner, { strict: false }) && isAddressEqual(address, getAddress(owner)))
    return { fault: 'This is the wallet it is in already.' }
  return { address }
}
