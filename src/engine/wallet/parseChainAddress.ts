import { type ChainFamily, chainFamilyOf } from '../../schema/chains.js'
import { findAptosFault } from '../../schema/tokenLocator.js'
import { clip } from '../clip.js'
import { explainAddress, parseAddress, readAddress } from '../evm/parseAddress.js'
import { parseAddress as parseSolanaAddress } from '../solana/parseAddress.js'

/** Reads the addresses of each family. A family without a reader has no address that money may be sent to. */
const readers: Readonly<Partial<Record<ChainFamily, (text: string) => string | undefined>>> = {
  evm: parseAddress,
  solana: parseSolanaAddress,
}

/** Returns an address on a chain in the chain's canonical form, or `undefined` if it is not one. */
export const parseChainAddress = (chain: string, text: string): string | undefined => {
  const family = chainFamilyOf(chain)
  return family && readers[family]?.(text)
}

/**
 * Explains why a text that {@link parseChainAddress} refused is not an address on a chain. For an EVM address with a
 * wrong checksum, it gives the right spelling.
 *
 * @param chains - The chains on one of which an address was expected.
 */
export const explainChainAddress = (text: string, ...chains: readonly string[]): string => {
  const expected = `an address on ${chains.length > 1 ? 'any of ' : ''}${chains.join(', ')}`
  const hasEvm = chains.some((chain) => chainFamilyOf(chain) === 'evm')
  const aptosFault = findAptosFault(text)
  if (aptosFault !== undefined) return aptosFault
  return hasEvm ? explainAddress(text, expected) : `${clip(text) || '(empty)'} is not ${expected}`
}

/**
 * Reads a wallet's address, whose form tells its family.
 *
 * @param field - The field that holds it.
 * @returns The address in its canonical form, or `undefined` if it is of no family that has wallets.
 * @throws {@link InvalidInput} naming the field.
 */
export const readWalletAddress = (field: string, text: string): string | undefined =>
  text.startsWith('0x') ? readAddress(field, text) : parseSolanaAddress(text)
