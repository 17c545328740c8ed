import { count, like, type SQL, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#base/db/database.js'
import { wallets, webhookEndpoints } from '#base/db/tables/index.js'
import { keyIdOf } from '#base/ports/vault.js'

/** How many secrets are encrypted under a master key. */
export type KeyUse = { keyId: string; wallets: number; webhookSecrets: number }

/** The master key of a wallet's secret in SQL: the second part of `v2.<key id>.…`. */
export const walletKeyId: SQL<string> = sql<string>`split_part(${wallets.encryptedKey}, '.', 2)`

/** Counts the secrets under each master key in use. A value that no vault wrote counts under none. */
export const countSecrets = async (db: Database | Transaction): Promise<KeyUse[]> => {
  const uses = new Map<string, KeyUse>()
  const add = (keyId: string, more: { wallets?: number; webhookSecrets?: number }) => {
    const { wallets, webhookSecrets } = uses.get(keyId) ?? { wallets: 0, webhookSecrets: 0 }
    uses.set(keyId, {
      keyId,
      wallets: wallets + (more.wallets ?? 0),
      webhookSecrets: webhookSecrets + (more.webhookSecrets ?? 0),
    })
  }
  const inWallets = await db
    .select({ keyId: walletKeyId, wallets: count() })
    .from(wallets)
    .where(like(wallets.encryptedKey, 'v2.%'))
    .groupBy(walletKeyId)
  for (const { keyId, wallets } of inWallets) add(keyId, { wallets })
  for (const { secrets } of await db.select({ secrets: webhookEndpoints.secrets }).from(webhookEndpoints)) {
    for (const { encrypted } of secrets) {
      const keyId = keyIdOf(encrypted)
      if (keyId !== undefined) add(keyId, { webhookSecrets: 1 })
    }
  }
  return [...uses.values()].sort((a, b) => a.keyId.localeCompare(b.keyId))
}
