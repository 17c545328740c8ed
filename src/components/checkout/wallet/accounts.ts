import { ofFamily, type PerFamily } from '../../../schema/chains.js'
import { evmAddress, isEvmAddressBegun, isSameEvmAddress } from '../evm/address.js'
import { isSolanaAddressBegun, solanaAddress } from '../solana/address.js'

/** The form of an address: one to show as an example, and whether a text has the form. */
export type AddressForm = { example: string; isValid(text: string): boolean }

const forms: PerFamily<AddressForm> = { evm: evmAddress, solana: solanaAddress }

const anyAddress: AddressForm = {
  ...evmAddress,
  isValid: (text) => evmAddress.isValid(text) || solanaAddress.isValid(text),
}

/**
 * Returns the form of the addresses on a chain.
 *
 * @param chain - By the interface's name; undefined for any.
 */
export const getAddressForm = (chain: string | undefined): AddressForm =>
  chain === undefined ? anyAddress : ofFamily(forms, chain)

/** Whether the text is the address of an account or its beginning, as opposed to an e-mail address. */
export const isAccount = (text: string): boolean =>
  !text.includes('@') && (isEvmAddressBegun(text) || isSolanaAddressBegun(text))

/** Whether two addresses are the same account. */
export const isSameAccount = (one: string | undefined, other: string | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && isSameEvmAddress(one, other))
