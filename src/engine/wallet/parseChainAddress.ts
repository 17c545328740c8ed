import { type ChainFamily, chainFamilyOf } from '../../schema/chains.js'
import { parseAddress } from '../evm/parseAddress.js'

/** Reads the addresses of each family. A family without a reader has no address that money may be sent to. */
const readers: Readonly<Partial<Record<ChainFamily, (text: string) => string | undefined>>> = {
  evm: parseAddress,
}

/** Returns an address on a chain in the chain's canonical form, or `undefined` if it is not one. */
export const parseChainAddress = (chain: string, text: string): string | undefined => {
  const family = chainFamilyOf(chain)
  return family && readers[family]?.(text)
}
