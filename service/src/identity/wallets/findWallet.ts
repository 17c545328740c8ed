import { and, eq } from 'drizzle-orm'
import { readWalletLocator, viewWallet, walletNotFound } from 'kassa/engine'
import type { Wallet } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Database, Transaction } from '#base/db/database.js'
import { wallets } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { checkInput, toServiceError } from '#base/errors.js'
import { requireServerScope } from '../authorize.js'

/** A wallet as it is stored. */
export type WalletRow = typeof wallets.$inferSelect

/** The owner of a wallet and its type. `userLocator` is for example `email:ada@example.com`. */
type WalletOwner = { projectId: string; userLocator: string; type: WalletRow['type'] }

/** Finds a project user's wallet of a type. */
export const findUserWallet = async (
  db: Database | Transaction,
  { projectId, userLocator, type }: WalletOwner,
): Promise<WalletRow | undefined> => {
  const [row] = await db
    .select()
    .from(wallets)
    .where(
      and(eq(wallets.projectId, projectId), eq(wallets.userLocator, userLocator), eq(wallets.type, type)),
    )
  return row
}

const findByAddress = async (
  db: Database | Transaction,
  projectId: string,
  address: string,
): Promise<WalletRow | undefined> => {
  const [row] = await db
    .select()
    .from(wallets)
    .where(and(eq(wallets.projectId, projectId), eq(wallets.address, address)))
  return row
}

/**
 * Finds a wallet of a project by any form of its locator.
 *
 * @throws {@link ServiceError} `input-invalid` if it is not a wallet locator; `not-found`, also for another
 * project's.
 * @source interface.md "Wallet locator formats"
 */
export const findWallet = async (
  db: Database | Transaction,
  projectId: string,
  locator: string,
): Promise<WalletRow> => {
  const named = checkInput(() => readWalletLocator(locator))
  const wallet = await ('address' in named
    ? findByAddress(db, projectId, named.address)
    : findUserWallet(db, { projectId, ...named }))
  if (!wallet) throw toServiceError(walletNotFound(locator))
  return wallet
}

/**
 * Gets a wallet.
 *
 * @throws {@link ServiceError} `forbidden`, `input-invalid`, `not-found`.
 * @source answers.md "Wallets and transactions"
 */
export const getWallet = async (
  deps: Deps,
  call: Call,
  { walletLocator }: { walletLocator: string },
): Promise<Wallet> => {
  requireServerScope(call.actor, 'wallets.read')
  return viewWallet(await findWallet(deps.db, call.actor.projectId, walletLocator))
}
