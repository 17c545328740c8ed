import { and, eq } from 'drizzle-orm'
import { toHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { createUuid } from '../createUuid.js'
import type { Database, Transaction } from '../db/database.js'
import { wallets } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { userLocator } from './userLocator.js'

/** Whose wallet it is. `userLocator` is such as `email:ada@example.com`. */
export type WalletOwner = { projectId: string; userLocator: string }

const findWallet = async (db: Database | Transaction, { projectId, userLocator }: WalletOwner) => {
  const [wallet] = await db
    .select({ address: wallets.address })
    .from(wallets)
    .where(
      and(
        eq(wallets.projectId, projectId),
        eq(wallets.userLocator, userLocator),
        eq(wallets.type, 'evm-mpc-wallet'),
      ),
    )
  return wallet
}

/** E-mail users are the same however they write their address. */
export const emailLocator = (email: string): string => userLocator('email', email)

/** What binds an encrypted key to its wallet. */
export const vaultContext = (walletId: string): string => `wallet:${walletId}`

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
  const id = createUuid(deps.randomBytes)
  const key = deps.randomBytes(32)
  const address = privateKeyToAddress(toHex(key))
  const type = 'evm-kassa-custodial' as const
  await deps.db
    .insert(wallets)
    .values({
      ...owner,
      id,
      type: 'evm-mpc-wallet',
      address,
      signerType: type,
      adminSigner: { type, address, locator: `${type}:${address}` },
      encryptedKey: await deps.vault.encrypt(key, vaultContext(id)),
      createdAt: new Date(deps.now()),
    })
    .onConflictDoNothing()
  const wallet = await findWallet(deps.db, owner)
  if (!wallet) throw new Error('the custodial wallet was not created')
  return wallet
}
