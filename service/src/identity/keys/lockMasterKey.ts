import type { Transaction } from '#base/db/database.js'
import { masterKeyChecks } from '#base/db/tables/index.js'
import { ServiceError } from '#base/errors.js'
import { keyIdOf } from '#base/ports/vault.js'

/**
 * Prevents the master key of a new secret from being retired until the transaction ends. In a database
 * without a recorded master key, there is none to retire.
 *
 * @throws {ServiceError} `database-unavailable` if it was retired already, because the secret would be lost
 * with it.
 */
export const lockMasterKey = async (tx: Transaction, encrypted: string): Promise<void> => {
  const keyId = keyIdOf(encrypted)
  const known = await tx.select({ keyId: masterKeyChecks.keyId }).from(masterKeyChecks).for('share')
  if (keyId === undefined || !known.length || known.some((check) => check.keyId === keyId)) return
  throw new ServiceError(
    'database-unavailable',
    'The master key of this process has been retired, so it cannot write secrets. Restart it with the current key.',
    { retryAfterSeconds: 60 },
  )
}
