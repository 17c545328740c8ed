import type { WalletTokenList } from 'kassa/schema'
import { requireServerScope } from '../authorize.js'
import type { Call } from '../call.js'
import type { Deps } from '../deps.js'
import { catchUp } from './catchUp.js'
import { giveUpSlots } from './keepsSlot.js'
import { listContracts } from './listContracts.js'
import { listWatchedWallets } from './listWatchedWallets.js'
import { readBack } from './readBack.js'
import { readSlots } from './readSlots.js'
import { readTokenMetadata } from './readTokenMetadata.js'
import { readTokenOwner } from './readTokenOwner.js'
import { addressCursor, type WatchedWallet } from './tokenPlace.js'
import { verifySlots } from './verifySlots.js'
import { viewWalletToken } from './viewWalletToken.js'

/**
 * Lists the tokens of any contract that an address, or a user, holds on a chain, in the order in which they came: those
 * of the project's wallets from the block in which the service first knew them, those of the project's collections and
 * of contracts that the operator named from those contracts' first blocks, and those of another address as far back as
 * the node tells. Each is verified on its chain. A token that leaves keeps its place until the first page is read again, half a minute at least and some
 * ten minutes at most: so a page may be shorter than asked, and nothing that stays is missed or seen twice by who
 * reads page after page. The list ends with a page that is empty.
 *
 * @throws {@link ServiceError} `forbidden`, `input-invalid`, `chain-unavailable`.
 */
export const listWalletTokens = async (
  deps: Deps,
  call: Call,
  { identifier, page, perPage }: { identifier: string; page: number; perPage: number },
): Promise<WalletTokenList> => {
  requireServerScope(call.actor, 'wallets:nfts.read')

  const { projectId } = call.actor
  const { chain, holders } = await readTokenOwner(deps, projectId, identifier)
  if (!holders.length) return []
  const contracts = await listContracts(deps, chain, projectId)
  const wallets = await listWatchedWallets(deps, chain, { projectId, holders })
  const strangers = holders
    .filter((holder) => !wallets.some(({ address }) => address === holder))
    .map((address): WatchedWallet => {
      return { address, cursor: addressCursor(address), createdAt: new Date(deps.now()) }
    })
  for (const stranger of strangers) await readBack(deps, chain, await chain.getHead(), stranger)
  await catchUp(deps, chain, [...contracts, ...wallets, ...strangers])
  // Who begins a list anew has it without gaps.
  if (page === 1) await giveUpSlots(deps.db, chain.chain, holders, deps.now())
  const known = new Map(contracts.map((contract) => [contract.address, contract]))
  const query = { chain: chain.chain, holders, page, perPage }
  const verified = await verifySlots(deps, chain, await readSlots(deps, query))
  const metadata = await readTokenMetadata(deps, verified)
  return verified.map((token, index) =>
    viewWalletToken(chain.chain, token, metadata[index], known.get(token.contract)?.collection),
  )
}
