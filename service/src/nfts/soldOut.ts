import type { Supply, SupplyShortage } from '../collections/allocateTokens.js'
import { ServiceError } from '../errors.js'

/** Returns the error of a mint when nothing is left. */
export const soldOut = (
  { collection, templateId }: Supply,
  { isShort, limit }: SupplyShortage,
): ServiceError => {
  const what = isShort === 'collection' ? `Collection ${collection.id}` : `Template ${templateId}`
  const tokens = limit === 1 ? 'the one token' : `all ${limit} tokens`
  return new ServiceError(
    'conflict',
    `${what} is sold out: ${tokens} of its supply limit ${limit === 1 ? 'is' : 'are'} minted`,
  )
}
