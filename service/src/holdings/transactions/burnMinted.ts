import { eq } from 'drizzle-orm'
import type { Database } from '#base/db/database.js'
import { nfts, wallets } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import type { JobHandler } from '#base/ports/jobs.js'
import { findMintable } from '#goods/nfts/findMintable.js'
import { recordBurn } from '#goods/nfts/recordDelivered.js'
import { requireMessages } from './actingWallet.js'
import { withCustodialKey } from './withCustodialKey.js'

const findWalletById = async (db: Database, walletId: string) => {
  const [wallet] = await db.select().from(wallets).where(eq(wallets.id, walletId))
  if (!wallet) throw new Error(`the wallet ${walletId} is gone`)
  return wallet
}

/**
 * Burns a token that has an address of its own, with the key of the wallet that holds it and at the operator's
 * cost. Killed at any line and run again, it burns once: chain writes go by their key.
 */
export const burnMinted =
  (deps: Deps): JobHandler<'nfts.burn'> =>
  async ({ actionId, walletId, token }) => {
    const [nft] = await deps.db.select().from(nfts).where(eq(nfts.burnActionId, actionId))
    // The burn has ended: see `recordBurn`.
    if (!nft || nft.status === 'burned') return
    const { chain } = await findMintable(deps, nft.projectId, nft.collectionId)
    const messages = requireMessages(chain)
    const wallet = await findWalletById(deps.db, walletId)
    const result = await withCustodialKey(deps, wallet, (privateKey) =>
      messages.burn(`burn:${actionId}`, { token, privateKey }),
    )
    await deps.db.transaction((tx) => recordBurn(deps, tx, { id: actionId, result }))
  }
