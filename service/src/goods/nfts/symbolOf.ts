import type { Collection } from '../collections/viewCollection.js'
import type { NftRow } from './findNft.js'

/** Returns a token's symbol: that of its own metadata, as templates on Solana have one, or its collection's. */
export const symbolOf = (
  { symbol: own }: NftRow['metadata'],
  { symbol }: Pick<Collection, 'symbol'>,
): string => (typeof own === 'string' && own !== '' ? own : symbol)
