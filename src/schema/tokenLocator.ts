import * as z from 'zod/mini'
import { aptosFault, isOnAptos, walletAddressPattern } from './limits.js'
import { parseUserLocator, type UserLocatorParts } from './walletLocator.js'

const chainName = /^[a-z][a-z0-9-]*$/

/** Returns the message for an address or a locator on Aptos, or `undefined` for another one. */
export const findAptosFault = (text: string): string | undefined => (isOnAptos(text) ? aptosFault : undefined)

/** The holder of listed tokens: an address on a chain, or a user on a chain. */
export type TokenOwnerParts =
  | { kind: 'address'; chain: string; address: string }
  | { kind: 'user'; chain: string; user: UserLocatorParts }

/**
 * Parses the identifier of the wallet whose tokens are listed.
 *
 * @returns The parts, or undefined when the text is invalid.
 * @source interface.md "Other locators"
 */
export const parseTokenOwner = (text: string): TokenOwnerParts | undefined => {
  const colon = text.lastIndexOf(':')
  const before = text.slice(0, Math.max(0, colon))
  const last = text.slice(colon + 1)
  if (chainName.test(before) && walletAddressPattern.test(last)) {
    return { kind: 'address', chain: before, address: last }
  }
  const user = parseUserLocator(before)
  return user && chainName.test(last) ? { kind: 'user', chain: last, user } : undefined
}

/**
 * The holder of listed tokens: `<chain>:<address>`, or a user and a chain such as `email:<email>:<chain>`.
 */
export const TokenOwner = z.string().check(
  z.refine((text) => parseTokenOwner(text) !== undefined, {
    error: ({ input }) =>
      findAptosFault(String(input)) ??
      'expected <chain>:<address>, email:<email>:<chain> or userId:<userId>:<chain>',
  }),
)
export type TokenOwner = z.infer<typeof TokenOwner>

/** One token: its chain, and its contract and its id in it or, on Solana, its own address. */
export type TokenLocatorParts =
  | { chain: string; contractAddress: string; tokenId: string; mintHash?: undefined }
  | { chain: 'solana'; mintHash: string }

/** The largest possible token id. */
const maxTokenId = 2n ** 256n - 1n

/**
 * Parses the locator of a token.
 *
 * @returns The parts, or undefined when the text is not a token locator.
 * @source interface.md "Other locators" (`nftLocator`)
 */
export const parseTokenLocator = (text: string): TokenLocatorParts | undefined => {
  const [chain, contractAddress, tokenId, ...rest] = text.split(':')
  if (chain === 'solana') {
    const mintHash = contractAddress
    const isMint = mintHash !== undefined && walletAddressPattern.test(mintHash) && !mintHash.startsWith('0x')
    return isMint && tokenId === undefined ? { chain, mintHash } : undefined
  }
  if (rest.length || !chain || !contractAddress || !tokenId) return undefined
  const isToken =
    chainName.test(chain) &&
    walletAddressPattern.test(contractAddress) &&
    /^(0|[1-9]\d{0,77})$/.test(tokenId) &&
    BigInt(tokenId) <= maxTokenId
  return isToken ? { chain, contractAddress, tokenId } : undefined
}

/** One token: `<chain>:<contractAddress>:<tokenId>`, or `solana:<mintHash>`. */
export const TokenLocator = z.string().check(
  z.refine((text) => parseTokenLocator(text) !== undefined, {
    error: ({ input }) =>
      findAptosFault(String(input)) ?? 'expected <chain>:<contractAddress>:<tokenId>, or solana:<mintHash>',
  }),
)
export type TokenLocator = z.infer<typeof TokenLocator>
