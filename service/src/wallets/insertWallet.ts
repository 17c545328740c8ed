import type { Database, Transaction } from '../db/database.js'
import { wallets } from '../db/tables/index.js'
import { lockMasterKey } from '../keys/lockMasterKey.js'
import type { WalletDraft } from './draftWallet.js'
import { findUserWallet, type WalletRow } from './findWallet.js'

/** A wallet that was written, or the one that its user had by then. */
export type InsertedWallet = { wallet: WalletRow; isNew: boolean }

/** Writes a wallet, unless its user has one of its type: whoever writes at the same moment gets the same one. */
export const insertWallet = async (
  db: Database | Transaction,
  draft: WalletDraft,
): Promise<InsertedWallet> => {
  const [row] = await db.transaction(async (tx) => {
    if (draft.encryptedKey) await lockMasterKey(tx, draft.encryptedKey)
    return tx.insert(wallets).values(draft).onConflictDoNothing().returning()
  })
  if (row) return { wallet: row, isNew: true }
  const { projectId, userLocator, type } = draft
  const known = userLocator && (await findUserWallet(db, { projectId, userLocator, type }))
  if (!known) throw new Error('the wallet was not created')
  return { wallet: known, isNew: false }
}
