import type { Config } from '#base/config/config.js'
import { ServiceError } from '#base/errors.js'

const addressDigits = 40

const findIn = (sanctioned: ReadonlySet<string>, digits: string): string | undefined => {
  // Addresses start at whole bytes, at any position in a call's arguments.
  for (let at = 0; at + addressDigits <= digits.length; at += 2) {
    const address = `0x${digits.slice(at, at + addressDigits)}`
    if (sanctioned.has(address)) return address
  }
  return undefined
}

/** What cannot be part of an address on Solana. */
const separators = /[^1-9A-HJ-NP-Za-km-z]+/

/**
 * Finds a sanctioned address in texts: a plain address, one in a locator, or an EVM address anywhere in a call's data.
 *
 * @param sanctioned - Addresses, those of EVM chains in lower case.
 * @returns The address as the list has it, or `undefined` if there is none.
 */
export const findSanctioned = (
  sanctioned: ReadonlySet<string>,
  ...texts: readonly string[]
): string | undefined => {
  if (!sanctioned.size) return undefined
  for (const text of texts) {
    const word = text.split(separators).find((each) => sanctioned.has(each))
    if (word !== undefined) return word
    for (const [, digits = ''] of text.toLowerCase().matchAll(/0x([0-9a-f]+)/g)) {
      const found = findIn(sanctioned, digits)
      if (found !== undefined) return found
    }
  }
  return undefined
}

/** Returns the error of a transaction or a request that involves a sanctioned address. */
export const toSanctionError = (address: string) =>
  ({
    reason: 'sanctioned_wallet_address',
    message: `${address} is on the list of sanctioned addresses of this deployment`,
  }) as const

type Sanctions = Pick<Config, 'sanctionedAddresses'>

/**
 * Refuses a wallet whose address or signer is sanctioned.
 *
 * @throws {@link ServiceError} `unprocessable` with a message only, as for every refused wallet.
 * @source interface.md "Errors"; answers.md "Wallets and transactions"
 */
export const assertUnsanctionedWallet = (
  { sanctionedAddresses }: Sanctions,
  ...addresses: readonly string[]
): void => {
  const address = findSanctioned(sanctionedAddresses, ...addresses)
  if (address !== undefined) throw new ServiceError('unprocessable', toSanctionError(address).message)
}

/**
 * Refuses a transaction that involves a sanctioned address.
 *
 * @throws {@link ServiceError} `unprocessable` with a message and the reason `sanctioned_wallet_address`.
 * @source interface.md "Errors"
 */
export const assertUnsanctioned = ({ sanctionedAddresses }: Sanctions, ...texts: readonly string[]): void => {
  const address = findSanctioned(sanctionedAddresses, ...texts)
  if (address === undefined) return
  const detail = toSanctionError(address)
  throw new ServiceError('unprocessable', detail.message, { detail })
}
