import type { WalletTokenList } from 'kassa/schema'
import { requireServerScope } from '../authorize.js'
import type { Call } from '../call.js'
import type { Deps } from '../deps.js'
import { catchUp } from './catchUp.js'
import { giveUpSlots } from './keepsSlot.js'
import { listContracts } from './listContracts.js'
import { readSlots } from './readSlots.js'
import { readTokenMetadata } from './readTokenMetadata.js'
import { readTokenOwner } from './readTokenOwner.js'
import { verifySlots } from './verifySlots.js'
import { viewWalletToken } from './viewWalletToken.js'

/**
 * Lists the tokens that an address, or a user, holds on a chain: those of the project's collections and of the
 * contracts that the operator named, whoever minted them, in the order in which they came. Each is verified on its
 * chain. A token that leaves keeps its place until the first page is read again, half a minute at least and some
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
  if (!contracts.length) return []

  await catchUp(deps, chain, contracts)
  // Who begins a list anew has it without gaps.
  if (page === 1) await giveUpSlots(deps.db, chain.chain, holders, deps.now())
  const known = new Map(contracts.map((contract) => [contract.address, contract]))
  const query = { chain: chain.chain, holders, contracts: new Set(known.keys()), page, perPage }
  const verified = await verifySlots(deps, chain, await readSlots(deps, query))
  const metadata = await readTokenMetadata(deps, verified)
  return verified.map((token, index) =>
    viewWalletToken(chain.chain, token, metadata[index], known.get(token.contract)?.collection),
  )
}
