import { isAddress } from 'viem'

// Mixed case is a checksum (EIP-55). An address in one case has none to compare with.
const isMistyped = (text: string): boolean => /[a-f]/.test(text) && /[A-F]/.test(text) && !isAddress(text)

/** Whether the text is an address, or the beginning of one. */
export const isEvmAddressBegun = (text: string): boolean => text.startsWith('0x')

/** Whether two addresses that differ as texts are the same account. Their case is a checksum. */
export const isSameEvmAddress = (one: string, other: string): boolean =>
  isEvmAddressBegun(one) && one.toLowerCase() === other.toLowerCase()

/** The form of an address on EVM chains. */
export const evmAddress = {
  example: '0x12Ab…89Ef',
  isValid: (text: string): boolean => /^0x[0-9a-fA-F]{40}$/.test(text) && !isMistyped(text),
}
