import {
  findAptosFault,
  parseTokenLocator,
  parseTokenOwner,
  type TokenLocatorParts,
  type TokenOwnerParts,
} from '../../schema/tokenLocator.js'
import { invalid } from '../invalidInput.js'

const owner =
  'expected <chain>:<address>, or a user and a chain such as email:<email>:<chain> or userId:<userId>:<chain>'

/**
 * Reads whose tokens on which chain are requested.
 *
 * @throws {@link InvalidInput}
 */
export const readTokenOwner = (identifier: string): TokenOwnerParts => {
  const parts = parseTokenOwner(identifier)
  if (parts) return parts
  throw invalid('identifier', findAptosFault(identifier) ?? owner)
}

const token = 'expected <chain>:<contractAddress>:<tokenId>, or solana:<mintHash>'

/**
 * Reads the locator of a token.
 *
 * @throws {@link InvalidInput}
 */
export const readTokenLocator = (nftLocator: string): TokenLocatorParts => {
  const parts = parseTokenLocator(nftLocator)
  if (parts) return parts
  throw invalid('nftLocator', findAptosFault(nftLocator) ?? token)
}
