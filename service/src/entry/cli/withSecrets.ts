import { randomBytes } from 'node:crypto'
import { openVault } from '#adapters/kms/openVault.js'
import { assertMasterKey } from '#identity/keys/assertMasterKey.js'
import type { SecretDeps } from '#notify/webhooks/endpointSecrets.js'
import type { CliContext } from './group.js'
import { masterKeysOf } from './settingsOf.js'
import { withDatabase } from './withDatabase.js'

/**
 * Runs work with the secrets in the database, or with a running service's vault.
 *
 * @throws {@link ConfigError} if they are encrypted under a missing master key.
 */
export const withSecrets = <Result>(
  context: CliContext,
  work: (deps: SecretDeps) => Promise<Result>,
): Promise<Result> => {
  const vault = context.service?.vault ?? openVault(masterKeysOf(context), randomBytes)
  return withDatabase(context, async (db) => {
    const deps = { vault, db, now: Date.now, randomBytes }
    await assertMasterKey(deps)
    return work(deps)
  })
}
