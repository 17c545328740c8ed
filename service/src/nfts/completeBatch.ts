import { finishAction } from '../actions/finishAction.js'
import { nfts } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { type BatchId, isWaitingIn } from './batch.js'
import { describeNft } from './describeNft.js'
import type { Mintable } from './findMintable.js'
import { mailMint } from './mailMint.js'

/** Records that a batch is on its chain, and sends the event and the e-mail of each token once. */
export const completeBatch = (
  deps: Deps,
  mintable: Mintable,
  { batchId }: BatchId,
  txId: string,
): Promise<void> =>
  deps.db.transaction(async (tx) => {
    // A concurrent completion of the same batch waits here, and then finds nothing left.
    const minted = await tx
      .update(nfts)
      .set({ status: 'success', txId })
      .where(isWaitingIn(batchId))
      .returning()
    for (const nft of minted) {
      const token = describeNft(nft)
      if (nft.actionId !== null) {
        await finishAction(deps, tx, nft.actionId, { status: 'succeeded', data: { txId, token } })
      }
      await mailMint(deps, tx, mintable, nft)
    }
  })
