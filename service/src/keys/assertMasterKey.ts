import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Config } from '../config.js'
import type { Database } from '../db/database.js'
import { masterKeyChecks } from '../db/tables/index.js'
import { seal, unseal } from '../seal.js'
import { ConfigError } from '../settings.js'

const context = 'master-key-check'

const canOpen = (sealed: string, masterKey: Uint8Array): boolean => {
  try {
    unseal(Buffer.from(sealed, 'base64'), masterKey, context)
    return true
  } catch {
    return false
  }
}

/**
 * Makes sure that the master key is the one this database's secrets are encrypted under; in a new database it
 * becomes that.
 *
 * @throws {@link ConfigError} when it is another.
 */
const fingerprint = (key: Uint8Array): string =>
  createHash('sha256').update('kassa master key').update(key).digest('hex').slice(0, 16)

export const assertMasterKey = async ({
  db,
  config: { masterKey },
  randomBytes,
}: {
  db: Database
  config: Pick<Config, 'masterKey'>
  randomBytes(length: number): Uint8Array
}): Promise<void> => {
  const keyId = fingerprint(masterKey)
  const sealed = Buffer.from(seal(randomBytes(16), masterKey, context, randomBytes)).toString('base64')
  await db.insert(masterKeyChecks).values({ keyId, sealed }).onConflictDoNothing()
  const [check] = await db.select().from(masterKeyChecks).where(eq(masterKeyChecks.keyId, keyId))
  if (check && canOpen(check.sealed, masterKey)) return
  throw new ConfigError('KASSA_MASTER_KEY is not the key this database was written with')
}
