import { and, eq } from 'drizzle-orm'
import { clip, readWalletAddress } from 'kassa/engine'
import { type Action, members, type TransactionChain } from 'kassa/schema'
import type { Call } from '#base/call.js'
import { actions, nfts, wallets } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { checkInput, ServiceError } from '#base/errors.js'
import { createUuid } from '#base/lib/uuid.js'
import { startAction, viewAction } from '#goods/actions/actions.js'
import { contractAddressOf, describeCollection, toCollectionRef } from '#goods/collections/viewCollection.js'
import { assertMinted } from '#goods/nfts/assertMinted.js'
import { findMintable, type Mintable } from '#goods/nfts/findMintable.js'
import {
  assertUncompressed,
  describeNft,
  findNft,
  isNft,
  lockNft,
  type NftRow,
  nftPath,
} from '#goods/nfts/findNft.js'
import { requireConfirmation, requireServerScope } from '#identity/authorize.js'
import type { WalletRow } from '#identity/wallets/findWallet.js'
import { isCustodial } from '#identity/wallets/kinds.js'
import { requireCalls } from './actingWallet.js'
import { transactionKindOf } from './kinds.js'
import { startTransaction } from './startTransaction.js'

const refuse = (message: string): never => {
  throw new ServiceError('conflict', message)
}

/** Reads who can burn a token. A semi-fungible token has many holders: one is the copy's first recipient. */
const readHolder = async (
  deps: Pick<Deps, 'chains'>,
  { collection, chain }: Mintable,
  { id, tokenId, owner }: NftRow,
): Promise<string> => {
  const token = chain.tokenAddress(toCollectionRef(collection), tokenId)
  const contract = token ?? contractAddressOf(deps, collection)
  const held = contract && (await chain.wallets.findOwner({ contract, tokenId: `${tokenId}` }))
  const holder = held === 'semi-fungible' ? owner : held ? held.owner : undefined
  return (
    holder ?? refuse(`${collection.chain} shows no holder of the token ${id}. Its holder may have burned it`)
  )
}

/** Finds the project's wallet that holds a token and that the service signs for. */
const requireCustodialWallet = async (
  { db }: Pick<Deps, 'db'>,
  { projectId, id }: NftRow,
  address: string,
): Promise<WalletRow> => {
  const [wallet] = await db
    .select()
    .from(wallets)
    .where(and(eq(wallets.projectId, projectId), eq(wallets.address, address)))
  if (wallet && isCustodial(wallet)) return wallet
  return refuse(
    `The token ${id} is in ${address}, a wallet that the service does not sign for. Only its holder can burn it`,
  )
}

const requireTransactionChain = (chain: string): TransactionChain =>
  members.transactionChains.find((each) => each === chain) ??
  refuse(`Wallets send no transactions on ${chain}, so the service cannot burn tokens there`)

const requireAnswer = (answer: Action | undefined): Action => {
  if (answer) return answer
  throw new Error('the action was not written')
}

const findBurn = async (
  deps: Pick<Deps, 'db' | 'config'>,
  { burnActionId }: NftRow,
): Promise<Action | undefined> => {
  if (burnActionId === null) return undefined
  const [action] = await deps.db.select().from(actions).where(eq(actions.id, burnActionId))
  return action && viewAction(deps, action)
}

/**
 * Burns a token that one of the project's custodial wallets holds: that wallet sends the transaction. The
 * action of the answer follows it. The same request again is answered with the same action, unless that
 * burn failed.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`; `conflict` if the token is not minted or is held
 * elsewhere; `reverted` if the wallet cannot make the call; `chain-unavailable`.
 * @source answers.md "Revised: Wallets, tokens, credentials"
 */
export const burnNft = async (
  deps: Deps,
  call: Call,
  { collectionId, nftId }: { collectionId: string; nftId: string },
): Promise<Action> => {
  requireServerScope(call.actor, 'nfts.delete')

  const { projectId } = call.actor
  const key = { projectId, collectionId, id: nftId }
  const { collection, chain: port } = await findMintable(deps, projectId, collectionId)
  const nft = await findNft(deps.db, key)
  if (!nft) throw new ServiceError('not-found', `Token ${clip(nftId)} not found`)
  const known = await findBurn(deps, nft)
  if (known) {
    await deps.db.transaction((tx) => call.complete(tx, { status: 200, body: known }))
    return known
  }
  requireConfirmation(call.actor, deps.now())
  assertMinted(nft)
  assertUncompressed(nft)

  const holder = await readHolder(deps, { collection, chain: port }, nft)
  const address = checkInput(() => readWalletAddress('owner', holder)) ?? holder
  const wallet = await requireCustodialWallet(deps, nft, address)
  const { tokenId } = nft
  const ref = toCollectionRef(collection)
  const actionId = createUuid(deps.randomBytes)
  let answer: Action | undefined
  const complete: Call['complete'] = async (tx) => {
    const locked = await lockNft(tx, key)
    if (!locked) throw new Error(`the token ${nftId} is gone`)
    assertMinted(locked)
    await tx.update(nfts).set({ burnActionId: actionId }).where(isNft(nft))
    const action = await startAction(deps, tx, {
      id: actionId,
      projectId,
      action: 'nfts.delete',
      resource: nftPath(nft),
      data: {
        ...describeCollection(deps, collection),
        token: describeNft(deps, collection, { ...nft, owner: holder }),
      },
    })
    answer = viewAction(deps, action)
    await call.complete(tx, { status: 200, body: answer })
  }
  const token = port.tokenAddress(ref, tokenId)
  if (token !== undefined) {
    await deps.db.transaction(async (tx) => {
      await complete(tx, { status: 200, body: undefined })
      await deps.jobs.enqueue(tx, 'nfts.burn', { actionId, walletId: wallet.id, token })
    })
    return requireAnswer(answer)
  }
  const chain = requireTransactionChain(collection.chain)
  const { to, data } = requireCalls(port).encodeBurn({
    contract: port.collectionAddress(ref),
    standard: ref.standard,
    tokenId,
    holder,
  })
  const params = transactionKindOf(wallet).paramsOf?.(chain, { to, value: '0', data })
  if (!params) throw new Error(`a ${wallet.type} makes no calls`)

  await startTransaction(deps, { ...call, complete }, { id: actionId, wallet, params })
  return requireAnswer(answer)
}
