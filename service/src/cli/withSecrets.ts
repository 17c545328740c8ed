import { randomBytes } from 'node:crypto'
import { assertMasterKey } from '../keys/assertMasterKey.js'
import type { SecretDeps } from '../webhooks/endpointSecrets.js'
import type { CliContext } from './group.js'
import { masterKeyOf } from './settingsOf.js'
import { withDatabase } from './withDatabase.js'

/**
 * Does something with the secrets in the database.
 *
 * @throws {@link ConfigError} when they are kept under another master key.
 */
export const withSecrets = <Result>(
  context: CliContext,
  work: (deps: SecretDeps) => Promise<Result>,
): Promise<Result> => {
  const config = { masterKey: masterKeyOf(context) }
  return withDatabase(context, async (db) => {
    const deps = { config, db, now: Date.now, randomBytes }
    await assertMasterKey(deps)
    return work(deps)
  })
}
