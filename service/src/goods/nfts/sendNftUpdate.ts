import { sql } from 'drizzle-orm'
import { nextAttemptAtMs, promptMs } from 'kassa/engine'
import { nfts } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import type { JobData, JobHandler } from '#base/ports/jobs.js'
import type { WriteResult } from '#base/ports/write.js'
import { findPendingAction, finishAction, toActionError } from '../actions/actions.js'
import { toCollectionRef } from '../collections/viewCollection.js'
import { writeInTurn } from '../collections/writeInTurn.js'
import { findMintable, type Mintable } from './findMintable.js'
import { findNft, isNft, type NftRow, nftKey } from './findNft.js'
import { symbolOf } from './symbolOf.js'
import { toSeconds } from './wholeSeconds.js'

const findUpdate = async (
  deps: Deps,
  actionId: string,
): Promise<(Mintable & { nft: NftRow }) | undefined> => {
  const action = await findPendingAction(deps.db, actionId)
  if (!action) return undefined
  const { projectId, data } = action
  const [collectionId, id] = [data.collection?.id ?? '', data.token?.id ?? '']
  const nft = await findNft(deps.db, { projectId, collectionId, id })
  if (!nft) throw new Error(`the token ${id} is gone`)
  return { nft, ...(await findMintable(deps, projectId, collectionId)) }
}

const settle = (
  deps: Deps,
  { actionId, attempt }: JobData['nfts.update'],
  nft: NftRow,
  end: WriteResult,
): Promise<void> =>
  deps.db.transaction(async (tx) => {
    if (end.status === 'succeeded') {
      await tx
        .update(nfts)
        .set({ chainRevision: sql`greatest(${nfts.chainRevision}, ${nft.revision})` })
        .where(isNft(nft))
      return finishAction(deps, tx, actionId, { status: 'succeeded', data: { txId: end.txId } })
    }
    const againAtMs = nextAttemptAtMs(attempt, deps.now(), promptMs)
    if (againAtMs === undefined) {
      return finishAction(deps, tx, actionId, { status: 'failed', data: { error: toActionError(end) } })
    }
    const again = { actionId, attempt: attempt + 1 }
    await deps.jobs.enqueue(tx, 'nfts.update', again, { startAfter: new Date(againAtMs) })
  })

/**
 * Writes a token's current state to its chain. The last of several changes includes the others: the chain
 * counts revisions, and the earlier ones find theirs done.
 */
export const sendNftUpdate =
  (deps: Deps): JobHandler<'nfts.update'> =>
  async (job) => {
    const update = await findUpdate(deps, job.actionId)
    if (!update) return
    const { collection, chain, nft } = update
    const { tokenId, revision, uri, renewalRevision, chainRevision } = nft
    // Only a renewal sets the end. Any other change would revive a subscription that its holder has
    // cancelled.
    const expiresAt = renewalRevision > chainRevision ? nft.expiresAt : null
    await chain.ready()
    const input = {
      collection: toCollectionRef(collection),
      tokenId,
      revision: BigInt(revision),
      name: nft.metadata.name,
      symbol: symbolOf(nft.metadata, collection),
      uri,
      ...(expiresAt && { expiresAt: toSeconds(expiresAt) }),
    }
    const turn = { id: job.actionId, attempt: job.attempt }
    const sent = await writeInTurn(`update:${nftKey(nft)}:${revision}`, turn, (key) =>
      chain.updateToken(key, input),
    )
    if (sent.status === 'failed') {
      const { actionId, attempt } = job
      deps.log.error({ actionId, attempt, reason: sent.reason }, 'the chain refused a change of a token')
    }
    await settle(deps, job, nft, sent)
  }
