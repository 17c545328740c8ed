import type { WalletToken } from 'kassa/schema'
import type { Deps } from '#base/deps.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { MintedToken, WalletPort } from '#base/ports/wallet.js'
import { describeListed, listContracts } from './listContracts.js'
import { readTokenMetadata } from './readTokenMetadata.js'

/** A list that the node gives at once, in the order of the mints, so that its pages fit together. */
type HeldQuery = { projectId: string; holders: readonly string[]; page: number; perPage: number }

/** Lists the tokens that holders have on a chain whose nodes tell that. A token of two of them is listed once. */
export const listHeldTokens = async (
  deps: Deps,
  port: ChainPort,
  listHeld: NonNullable<WalletPort['listHeld']>,
  { projectId, holders, page, perPage }: HeldQuery,
): Promise<WalletToken[]> => {
  const { chain } = port
  const held = await Promise.all(holders.map((holder) => listHeld(holder)))
  const tokens = [...new Map(held.flat().map((token) => [token.mint, token])).values()]
    .sort((one, other) => (one.mint < other.mint ? -1 : 1))
    .slice((page - 1) * perPage, page * perPage)
  const contracts = await listContracts(deps, port, projectId)
  const known = new Map(contracts.map(({ address, collection }) => [address, collection]))
  const metadata = await readTokenMetadata(
    deps,
    tokens.map(({ uri }) => ({ tokenId: '0', token: { uri } })),
  )
  const view = ({ mint, group }: MintedToken, index: number): WalletToken => {
    const collection = group === undefined ? undefined : known.get(group)
    return {
      chain,
      mintHash: mint,
      metadata: {
        attributes: [],
        ...metadata[index],
        collection: collection ? describeListed(collection) : {},
      },
      locator: `${chain}:${mint}`,
    }
  }
  return tokens.map(view)
}
