import type { WalletToken } from 'kassa/schema'
import { listWalletTokens } from 'kassa/server'
import { createShopClient } from '../serverClient'
import type { Edition } from '../shop'

const perPage = 50
/** Enough for every collector of this shop, and little enough for its server. */
const maxPages = 4

/**
 * Lists what an account holds of this shop's editions on a chain. Chains are public, so this needs no proof of who asks.
 *
 * @param identifier - The account: `<chain>:<address>`.
 * @throws KassaError when the service or the chain does not answer.
 */
export const listHoldings = async (
  editions: readonly Edition[],
  identifier: string,
): Promise<WalletToken[]> => {
  const own = new Set(editions.map(({ id }) => id))
  const client = createShopClient()
  const tokens: WalletToken[] = []
  for (let page = 1; page <= maxPages; page += 1) {
    const found = await listWalletTokens(client, { identifier, page, perPage })
    if (found.length === 0) break
    // The service names a token's collection if it is one of its own.
    tokens.push(...found.filter(({ metadata }) => own.has(String(metadata.collection?.id))))
  }
  return tokens
}
