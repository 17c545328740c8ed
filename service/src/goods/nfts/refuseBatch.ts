import { nextAttemptAtMs, promptMs } from 'kassa/engine'
import type { Transaction } from '#base/db/database.js'
import { nfts } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { createUuid } from '#base/lib/uuid.js'
import type { JobData } from '#base/ports/jobs.js'
import type { WriteResult } from '#base/ports/write.js'
import { finishAction, toActionError } from '../actions/actions.js'
import { lockCollection, releaseTokens } from '../collections/allocateTokens.js'
import { isWaitingIn, lockBatch } from './batch.js'
import { isNft, type NftRow } from './findNft.js'

/** One attempt at a batch. */
export type BatchAttempt = JobData['nfts.mint']
type Refusal = Extract<WriteResult, { status: 'failed' }>

/**
 * Splits a refused batch into batches of one, so that a mint that is impossible does not block the others.
 * Nothing is minted twice: a refusal means that nothing of the batch was done or ever will be under its key,
 * and the next writes are sent only once the members have left it. A process that still works on the old
 * batch repeats its old key, and gets the same refusal.
 */
export const splitBatch = (deps: Deps, batch: BatchAttempt): Promise<void> =>
  deps.db.transaction(async (tx) => {
    for (const nft of await lockBatch(tx, batch)) {
      const batchId = createUuid(deps.randomBytes)
      await tx.update(nfts).set({ batchId }).where(isNft(nft))
      await deps.jobs.enqueue(tx, 'nfts.mint', { ...batch, batchId, attempt: 1 })
    }
  })

const failAll = async (
  deps: Deps,
  tx: Transaction,
  { projectId, collectionId, batchId }: BatchAttempt,
  refusal: Refusal,
): Promise<void> => {
  const failed = await tx.update(nfts).set({ status: 'failed' }).where(isWaitingIn(batchId)).returning()
  const collection = { projectId, id: collectionId }
  const fail = async ({ id, actionId, owner, tokenId, uri, templateId }: NftRow) => {
    await releaseTokens(tx, { collection, templateId: templateId ?? undefined }, 1)
    if (actionId === null) return
    await finishAction(deps, tx, actionId, {
      status: 'failed',
      data: {
        ...(owner !== null && { recipient: { walletAddress: owner } }),
        token: { id },
        contractArguments: { recipient: owner, tokenId: `${tokenId}`, uri },
        error: toActionError(refusal),
      },
    })
  }
  for (const nft of failed) await fail(nft)
}

/** Enqueues a refused batch again or, after the last attempt, fails its mints and releases their supply. */
export const refuseBatch = (deps: Deps, batch: BatchAttempt, refusal: Refusal): Promise<void> =>
  deps.db.transaction(async (tx) => {
    // Every process locks in this order: the collection first, then its tokens.
    await lockCollection(tx, { projectId: batch.projectId, id: batch.collectionId })
    if (!(await lockBatch(tx, batch)).length) return
    const againAtMs = nextAttemptAtMs(batch.attempt, deps.now(), promptMs)
    if (againAtMs === undefined) return failAll(deps, tx, batch, refusal)
    const again = { ...batch, attempt: batch.attempt + 1 }
    await deps.jobs.enqueue(tx, 'nfts.mint', again, { startAfter: new Date(againAtMs) })
  })
