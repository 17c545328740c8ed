import { clip, explainChainAddress, explainDisabled, readTokenLocator } from 'kassa/engine'
import type { CredentialAnswer } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Deps } from '#base/deps.js'
import { checkInput, ServiceError } from '#base/errors.js'
import { createUuid } from '#base/lib/uuid.js'
import type { ChainPort } from '#base/ports/chain.js'
import { requireServerScope } from '#identity/authorize.js'
import { listContracts } from '../tokens/listContracts.js'
import { listWatchedWallets } from '../tokens/listWatchedWallets.js'
import { readCursors } from '../tokens/tokenCursors.js'
import { addressCursor } from '../tokens/tokenPlace.js'

const refuse = (what: string) => new ServiceError('input-invalid', `nftLocator: ${what}`)

/**
 * Whether a project lists all tokens of a holder: a wallet of the project, or an address that it has
 * requested.
 */
const isListed = async (
  deps: Pick<Deps, 'db'>,
  chain: ChainPort,
  { projectId, owner }: { projectId: string; owner: string },
): Promise<boolean> => {
  const own = await listWatchedWallets(deps, chain, { projectId, holders: [owner] })
  if (own.length) return true
  return (await readCursors(deps.db, chain.chain, [addressCursor(owner)])).size > 0
}

/**
 * Issues the credential of a token for its current holder according to the chain. The token must be of a
 * contract that the project knows, or its holder must be one whose tokens the project lists. All others,
 * including burned tokens, have none.
 *
 * @throws {@link ServiceError} `forbidden`, `input-invalid` (also for semi-fungible tokens, which have many
 * holders), `not-found`, `chain-unavailable`.
 */
export const getCredential = async (
  deps: Deps,
  call: Call,
  { nftLocator }: { nftLocator: string },
): Promise<CredentialAnswer> => {
  requireServerScope(call.actor, 'nfts.read')

  const parts = checkInput(() => readTokenLocator(nftLocator))
  const chain = deps.chains.get(parts.chain)
  if (!chain) throw refuse(explainDisabled(parts.chain, deps.chains.enabled))
  const given = parts.mintHash ?? parts.contractAddress
  const contract = chain.parseAddress(given)
  if (contract === undefined) throw refuse(explainChainAddress(given, parts.chain))
  const token = parts.mintHash === undefined ? { ...parts, contractAddress: contract } : parts
  const tokenId = parts.mintHash === undefined ? parts.tokenId : '0'
  const held = await chain.wallets.findOwner({ contract, tokenId })
  const notFound = new ServiceError('not-found', `Token ${clip(nftLocator)} not found`)
  if (!held) throw notFound
  if (held === 'semi-fungible') {
    throw refuse('a semi-fungible token has many holders, so it has no credential')
  }
  const { owner, expiresAt, group } = held
  const holder = chain.parseAddress(owner) ?? owner
  const { projectId } = call.actor
  const contracts = await listContracts(deps, chain, projectId)
  const isKnown = contracts.some(({ address }) => address === (group ?? contract))
  if (!isKnown && !(await isListed(deps, chain, { projectId, owner: holder }))) throw notFound
  const { issuer, randomBytes, config } = deps
  const terms = { id: createUuid(randomBytes), namespace: config.namespace, nowMs: deps.now() }
  return {
    value: await issuer.issue(terms, {
      token,
      owner: holder,
      expiresAt,
      caip2: await chain.getCaip2(),
    }),
  }
}
