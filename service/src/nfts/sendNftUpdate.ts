import { findPendingAction } from '../actions/findPendingAction.js'
import { finishAction } from '../actions/finishAction.js'
import { toActionError } from '../actions/toActionError.js'
import { attemptKey, type WriteResult } from '../chains/port.js'
import { toCollectionRef } from '../collections/collectionRef.js'
import type { Deps } from '../deps.js'
import type { JobData, JobHandler } from '../jobs/port.js'
import { nextAttemptAtMs } from '../nextAttempt.js'
import { findMintable, type Mintable } from './findMintable.js'
import { findNft, type NftRow, nftKey } from './findNft.js'
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

const settle = (deps: Deps, { actionId, attempt }: JobData['nfts.update'], end: WriteResult): Promise<void> =>
  deps.db.transaction(async (tx) => {
    if (end.status === 'succeeded') {
      return finishAction(deps, tx, actionId, { status: 'succeeded', data: { txId: end.txId } })
    }
    const againAtMs = nextAttemptAtMs(attempt, deps.now())
    if (againAtMs === undefined) {
      return finishAction(deps, tx, actionId, { status: 'failed', data: { error: toActionError(end) } })
    }
    const again = { actionId, attempt: attempt + 1 }
    await deps.jobs.enqueue(tx, 'nfts.update', again, { startAfter: new Date(againAtMs) })
  })

/**
 * Takes a token's present state to its chain. Of several changes, the one that comes last carries the others: the
 * chain counts them, and the earlier ones find theirs done.
 */
export const sendNftUpdate =
  (deps: Deps): JobHandler<'nfts.update'> =>
  async (job) => {
    const update = await findUpdate(deps, job.actionId)
    if (!update) return
    const { collection, chain, nft } = update
    const { tokenId, revision, uri, expiresAt } = nft
    await chain.ready()
    const key = `update:${nftKey(nft)}:${revision}`
    const sent = await chain.updateToken(attemptKey(key, job.attempt), {
      ...{ collection: toCollectionRef(collection), tokenId, revision: BigInt(revision), uri },
      ...(expiresAt && { expiresAt: toSeconds(expiresAt) }),
    })
    if (sent.status === 'failed') {
      const { actionId, attempt } = job
      deps.log.error({ actionId, attempt, reason: sent.reason }, 'the chain refused a change of a token')
    }
    await settle(deps, job, sent)
  }
