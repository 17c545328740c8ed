import type { Database, Transaction } from '../db/database.js'
import type { Deps } from '../deps.js'
import { draftWallet, type WalletDeps } from './draftWallet.js'
import { findUserWallet } from './findWallet.js'
import { insertWallet } from './insertWallet.js'
import { userLocator } from './userLocator.js'

/** Whose wallet the service keeps. `userLocator` is such as `email:ada@example.com`. */
export type CustodialOwner = { projectId: string; userLocator: string }

/** Writes a wallet down, where it is not yet. */
type WriteWallet = (db: Database | Transaction) => Promise<{ address: string }>

/** E-mail users are the same however they write their address. */
export const emailLocator = (email: string): string => userLocator('email', email)

/**
 * Finds the wallet that the service keeps for a user, or makes its key, before the transaction that may need it: the
 * vault may be across a network. It is the user's one `evm-mpc-wallet`, whoever else makes it at the same moment.
 *
 * @returns What writes the wallet down: it is there if, and only if, that transaction commits.
 */
export const prepareCustodialWallet = async (
  deps: WalletDeps & Pick<Deps, 'db'>,
  owner: CustodialOwner,
): Promise<WriteWallet> => {
  const terms = { ...owner, type: 'evm-mpc-wallet' } as const
  const known = await findUserWallet(deps.db, terms)
  if (known) return async () => known
  const draft = await draftWallet(deps, { ...terms, adminSigner: undefined })
  return async (db) => (await insertWallet(db, draft)).wallet
}

/** Finds the wallet that the service keeps for a user, and makes it on first need. */
export const getOrCreateCustodialWallet = async (
  deps: WalletDeps & Pick<Deps, 'db'>,
  owner: CustodialOwner,
): Promise<{ address: string }> => (await prepareCustodialWallet(deps, owner))(deps.db)
