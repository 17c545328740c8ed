import { ConfigError } from '#base/config/settings.js'
import type { Database } from '#base/db/database.js'
import { masterKeyChecks } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { countSecrets } from './countSecrets.js'
import { lockKeyChecks } from './lockKeyChecks.js'

const context = 'master-key-check'

const refuse = (keyIds: readonly string[]): never => {
  throw new ConfigError(
    `KASSA_MASTER_KEY is not the key this database was written with: ${[...new Set(keyIds)].join(', ')} is missing. Add it to KASSA_OTHER_MASTER_KEYS. You may remove it once \`kassa-service master-key rotate\` says so`,
  )
}

/**
 * Asserts that the vault can decrypt all secrets of this database, and records the master key as in use. In a
 * new database it becomes the first.
 *
 * @throws {@link ConfigError} if a secret is under a missing key, or was changed.
 */
export const assertMasterKey = async ({
  db,
  vault,
  randomBytes,
}: {
  db: Database
  vault: Deps['vault']
  randomBytes(length: number): Uint8Array
}): Promise<void> => {
  const sealed = await vault.encrypt(randomBytes(16), context)
  const checks = await db.transaction(async (tx) => {
    const found = await lockKeyChecks(tx)
    const used = [...found, ...(await countSecrets(tx))].map(({ keyId }) => keyId)
    const missing = used.filter((keyId) => !vault.hasKey(keyId))
    if (missing.length) refuse(missing)
    await tx.insert(masterKeyChecks).values({ keyId: vault.keyId, sealed }).onConflictDoNothing()
    return found
  })
  for (const check of checks) {
    await vault.decrypt(check.sealed, context).catch(() => refuse([check.keyId]))
  }
}
