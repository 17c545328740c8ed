import { explainChainAddress, userLocator } from 'kassa/engine'
import { type MintRecipientParts, parseMintRecipient } from 'kassa/schema'
import { ServiceError } from '#base/errors.js'
import type { ChainPort } from '#base/ports/chain.js'
import { requireCustody } from '#identity/wallets/custodialWallet.js'

/** The recipient of a token: an address, or a user whose wallet the service keeps. */
export type MintOwner = { address: string } | { userLocator: string; email?: string }

const refuse = (message: string): never => {
  throw new ServiceError('input-invalid', `recipient: ${message}`)
}

const parse = (text: string): MintRecipientParts =>
  parseMintRecipient(text) ?? refuse('expected a mint recipient')

/**
 * Reads the recipient of a token.
 *
 * @throws {@link ServiceError} `input-invalid` for another chain than the collection's, or if it is not an
 * address on it.
 * @source interface.md "Other locators"
 */
export const readMintRecipient = (chain: ChainPort, text: string): MintOwner => {
  const { kind, value, chain: named } = parse(text)
  if (named !== chain.chain) refuse(`the collection is on ${chain.chain}, not on ${named}`)
  if (kind !== 'address') {
    requireCustody(chain, 'recipient')
    return { userLocator: userLocator(kind, value), ...(kind === 'email' && { email: value }) }
  }
  const address = chain.parseAddress(value)
  return address === undefined ? refuse(explainChainAddress(value, chain.chain)) : { address }
}
