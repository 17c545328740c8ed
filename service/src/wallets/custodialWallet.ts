import { and, eq } from 'drizzle-orm'
import { toHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import type { Database, Transaction } from '../db/database.js'
import { custodialWallets } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { userLocator } from './userLocator.js'

/** Whose wallet it is. `userLocator` is such as `email:ada@example.com`. */
export type WalletOwner = { projectId: string; userLocator: string; family: 'evm' }

const findWallet = async (db: Database | Transaction, { projectId, userLocator, family }: WalletOwner) => {
  const [wallet] = await db
    .select({ address: custodialWallets.address })
    .from(custodialWallets)
    .where(
      and(
        eq(custodialWallets.projectId, projectId),
        eq(custodialWallets.userLocator, userLocator),
        eq(custodialWallets.family, family),
      ),
    )
  return wallet
}

/** E-mail users are the same however they write their address. */
export const emailLocator = (email: string): string => userLocator('email', email)

/** What binds an encrypted key to its owner. */
export const vaultContext = ({ projectId, userLocator, family }: WalletOwner): string =>
  `custodial-wallet:${family}:${projectId}:${userLocator}`

/**
 * Finds the wallet that the service keeps for a user, and makes it on first need. Whoever makes it twice at once
 * finds the same one.
 *
 * @param deps - `db` may be a transaction: then the wallet is there if, and only if, that commits.
 */
export const getOrCreateCustodialWallet = async (
  deps: Pick<Deps, 'vault' | 'randomBytes' | 'now'> & { db: Database | Transaction },
  owner: WalletOwner,
): Promise<{ address: string }> => {
  const existing = await findWallet(deps.db, owner)
  if (existing) return existing
  const key = deps.randomBytes(32)
  const address = privateKeyToAddress(toHex(key))
  const encryptedKey = deps.vault.encrypt(key, vaultContext(owner))
  await deps.db
    .insert(custodialWallets)
    .values({ ...owner, address, encryptedKey, createdAt: new Date(deps.now()) })
    .onConflictDoNothing()
  const wallet = await findWallet(deps.db, owner)
  if (!wallet) throw new Error('the custodial wallet was not created')
  return wallet
}
