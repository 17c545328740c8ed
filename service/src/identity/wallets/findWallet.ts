import { and, eq } from 'drizzle-orm'
import { clip, readWalletAddress } from 'kassa/engine'
import { fields, parseWalletLocator, type Wallet, type WalletLocatorParts } from 'kassa/schema'
import * as z from 'zod/mini'
import type { Call } from '#base/call.js'
import type { Database, Transaction } from '#base/db/database.js'
import { wallets } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { checkInput, ServiceError } from '#base/errors.js'
import { requireServerScope } from '../authorize.js'
import { userLocator } from './userLocator.js'

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

const find = async (
  db: Database | Transaction,
  projectId: string,
  parts: WalletLocatorParts,
): Promise<WalletRow | undefined> => {
  if (parts.kind === 'address') {
    const address = checkInput(() => readWalletAddress('walletLocator', parts.address))
    if (address !== undefined) return findByAddress(db, projectId, address)
    throw new ServiceError('input-invalid', `walletLocator: ${clip(parts.address)} is not an address`)
  }
  const { user, walletType } = parts
  return findUserWallet(db, { projectId, userLocator: userLocator(user.kind, user.value), type: walletType })
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
  const parts = parseWalletLocator(locator)
  if (!parts) {
    const message =
      z.safeParse(fields.WalletLocator, locator).error?.issues[0]?.message ?? 'expected a wallet locator'
    throw new ServiceError('input-invalid', `walletLocator: ${message}`)
  }
  const wallet = await find(db, projectId, parts)
  if (!wallet) throw new ServiceError('not-found', `Wallet ${locator} not found`)
  return wallet
}

/** Converts a wallet to its form in the interface. */
export const viewWallet = ({ type, address, adminSigner, userLocator, createdAt }: WalletRow): Wallet => ({
  type,
  address,
  config: { adminSigner },
  ...(userLocator !== null && { linkedUser: userLocator }),
  createdAt: createdAt.toISOString(),
})

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
