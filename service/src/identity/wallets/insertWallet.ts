import type { Database, Transaction } from '#base/db/database.js'
import { wallets } from '#base/db/tables/index.js'
import { lockMasterKey } from '../keys/lockMasterKey.js'
import type { WalletDraft } from './draftWallet.js'
import { findUserWallet, type WalletRow } from './findWallet.js'

/** The inserted wallet, or the one that its user already had. */
export type InsertedWallet = { wallet: WalletRow; isNew: boolean }

/** Inserts a wallet, unless its user has one of its type. Concurrent callers get the same wallet. */
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
