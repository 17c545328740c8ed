import { and, asc, eq } from 'drizzle-orm'
import { explainChainAddress, explainDisabled, readTokenOwner, userLocator } from 'kassa/engine'
import type { WalletToken, WalletTokenList } from 'kassa/schema'
import type { Call } from '#base/call.js'
import { wallets } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { checkInput, ServiceError } from '#base/errors.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { Collection } from '#goods/collections/viewCollection.js'
import { requireServerScope } from '#identity/authorize.js'
import { describeListed, listContracts } from './listContracts.js'
import { listHeldTokens } from './listHeldTokens.js'
import { listWatchedWallets } from './listWatchedWallets.js'
import { lookForTokens } from './lookForTokens.js'
import { readBack } from './readBack.js'
import { readTokenMetadata } from './readTokenMetadata.js'
import { giveUpSlots, readHeld, type VerifiedToken } from './slots.js'
import type { TokenLookDeps } from './tokenCursors.js'
import type { TokenLooks } from './tokenLooks.js'
import { addressCursor, type TokenPlace, type WatchedWallet } from './tokenPlace.js'

/** Whose tokens are listed: the addresses that hold them, on a chain. */
type TokenOwner = { chain: ChainPort; holders: readonly string[] }

const refuse = (what: string) => new ServiceError('input-invalid', `identifier: ${what}`)

/**
 * Reads the holders whose tokens are requested. A user has all wallets of any type that the project has for them. A user
 * without a wallet holds nothing.
 *
 * @throws {@link ServiceError} `input-invalid` for a malformed locator or a chain that is not enabled.
 */
const findHolders = async (
  deps: Pick<Deps, 'db' | 'chains'>,
  projectId: string,
  identifier: string,
): Promise<TokenOwner> => {
  const parts = checkInput(() => readTokenOwner(identifier))
  const chain = deps.chains.get(parts.chain)
  if (!chain) throw refuse(explainDisabled(parts.chain, deps.chains.enabled))
  if (parts.kind === 'address') {
    const holder = chain.parseAddress(parts.address)
    if (holder === undefined) throw refuse(explainChainAddress(parts.address, parts.chain))
    return { chain, holders: [holder] }
  }
  const user = userLocator(parts.user.kind, parts.user.value)
  const rows = await deps.db
    .select({ address: wallets.address })
    .from(wallets)
    .where(and(eq(wallets.projectId, projectId), eq(wallets.userLocator, user)))
    .orderBy(asc(wallets.createdAt), asc(wallets.id))
  // A user may have wallets on chains of other families too.
  return { chain, holders: rows.flatMap(({ address }) => chain.parseAddress(address) ?? []) }
}

/** The latest date that is shown. Contracts count seconds far beyond the year 9999. */
const lastSecond = 253_402_300_799n

/** Formats a time of a chain (epoch seconds) in ISO 8601. */
const formatSeconds = (seconds: bigint): string =>
  new Date(Number(seconds < lastSecond ? seconds : lastSecond) * 1000).toISOString()

/**
 * Formats a token for the list of a wallet's tokens.
 *
 * @source interface.md "Wallet token entry"
 */
const viewWalletToken = (
  chain: string,
  { contract, tokenId, token: { standard, expiresAt } }: VerifiedToken,
  looks: TokenLooks | undefined,
  collection: Collection | undefined,
): WalletToken => ({
  chain,
  contractAddress: contract,
  tokenId,
  metadata: { attributes: [], ...looks, collection: collection ? describeListed(collection) : {} },
  locator: `${chain}:${contract}:${tokenId}`,
  tokenStandard: standard,
  ...(standard === 'ERC-5643' &&
    expiresAt !== undefined && { subscription: { expiresAt: formatSeconds(expiresAt) } }),
})

const patienceMs = 5_000
/** How many blocks to read again, because a node may have been behind. The watcher reads more of them again. */
const minDepth = 12n
const maxBlocks = 2_000
const savedBlocks = 64

const stillReading = ({ chain }: ChainPort): ServiceError =>
  new ServiceError(
    'chain-unavailable',
    `The tokens on ${chain} are still being read. Try again in a few seconds.`,
    { retryAfterSeconds: 5 },
  )

/**
 * Records transfers up to the head of a chain, so that a token that arrived a moment ago is listed.
 *
 * @throws {@link ServiceError} `chain-unavailable` while too many blocks are unread for a correct list.
 */
const catchUp = async (
  deps: TokenLookDeps,
  chain: ChainPort,
  places: readonly TokenPlace[],
): Promise<void> => {
  const untilMs = deps.now() + patienceMs
  const isDone = await lookForTokens(deps, chain, places, {
    readsAgain: async () => minDepth + BigInt(chain.confirmations),
    maxBlocks,
    savedBlocks,
    mayGoOn: () => deps.now() < untilMs,
  })
  if (!isDone) throw stillReading(chain)
}

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
  const { chain, holders } = await findHolders(deps, projectId, identifier)
  if (!holders.length) return []
  const { listHeld } = chain.wallets
  if (listHeld) return listHeldTokens(deps, chain, listHeld, { projectId, holders, page, perPage })
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
  if (page === 1) await giveUpSlots(deps.db, { chain: chain.chain, holders }, deps.now())
  const known = new Map(contracts.map((contract) => [contract.address, contract]))
  const query = { chain: chain.chain, holders, page, perPage }
  const untilMs = deps.now() + patienceMs
  const verified = await readHeld(deps, chain, query, () => deps.now() < untilMs)
  if (!verified) throw stillReading(chain)
  const metadata = await readTokenMetadata(deps, verified)
  return verified.map((token, index) =>
    viewWalletToken(chain.chain, token, metadata[index], known.get(token.contract)?.collection),
  )
}
