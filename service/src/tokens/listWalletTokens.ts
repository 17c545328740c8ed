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
 * Lists the tokens of any contract that an address or a user holds on a chain, in the order in which they arrived. Each
 * is verified on its chain. How far back the list reaches depends on the token:
 *
 * - in a wallet of the project: to the block in which the service first knew the wallet;
 * - of a collection of the project, or of a contract that the operator named: to the contract's first block;
 * - at another address: as far back as the node answers.
 *
 * A token that leaves keeps its place until the first page is read again, for between half a minute and ten minutes. So
 * a page may be shorter than requested, and a caller who reads page after page neither misses a token that stays nor
 * sees it twice. The list ends with an empty page.
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
  // A list that is read from its first page has no gaps.
  if (page === 1) await giveUpSlots(deps.db, chain.chain, holders, deps.now())
  const known = new Map(contracts.map((contract) => [contract.address, contract]))
  const query = { chain: chain.chain, holders, page, perPage }
  const verified = await verifySlots(deps, chain, await readSlots(deps, query))
  const metadata = await readTokenMetadata(deps, verified)
  return verified.map((token, index) =>
    viewWalletToken(chain.chain, token, metadata[index], known.get(token.contract)?.collection),
  )
}
