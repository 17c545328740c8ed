import { attemptKey } from '../chains/port.js'
import { toCollectionRef } from '../collections/collectionRef.js'
import { prepareContract } from '../collections/prepareContract.js'
import type { Deps } from '../deps.js'
import type { JobHandler } from '../jobs/port.js'
import { readBatch } from './batch.js'
import { completeBatch } from './completeBatch.js'
import { findMintable } from './findMintable.js'
import { refuseBatch, splitBatch } from './refuseBatch.js'
import { toTokenMint } from './tokenMint.js'

/**
 * Mints a batch in one transaction. Killed at any line and run again, it mints once: the batch was fixed
 * before, and chain writes go by their key.
 */
export const mintBatch =
  (deps: Deps): JobHandler<'nfts.mint'> =>
  async (batch) => {
    const members = await readBatch(deps.db, batch)
    if (!members.length) return
    const { collection, chain } = await findMintable(deps, batch.projectId, batch.collectionId)
    await chain.ready()
    const refuse = (reason: string, what: string) => {
      const { collectionId, batchId, attempt } = batch
      deps.log.error({ collectionId, batchId, attempt, reason }, `the chain refused ${what}`)
    }
    const turn = { id: batch.batchId, attempt: batch.attempt }
    const contract = await prepareContract(deps, chain, collection, turn)
    if (contract.status === 'failed') {
      refuse(contract.reason, 'a contract')
      return refuseBatch(deps, batch, contract)
    }
    const input = { collection: toCollectionRef(collection), tokens: members.map(toTokenMint) }
    const minted = await chain.mint(attemptKey(`batch:${batch.batchId}`, batch.attempt), input)
    if (minted.status === 'succeeded') {
      return completeBatch(deps, { collection, chain }, batch, minted.txId)
    }
    refuse(minted.reason, members.length > 1 ? 'a batch of mints' : 'a mint')
    return members.length > 1 ? splitBatch(deps, batch) : refuseBatch(deps, batch, minted)
  }
