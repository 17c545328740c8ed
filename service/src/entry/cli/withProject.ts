import { randomBytes } from 'node:crypto'
import { createSafeFetch } from '#adapters/guard/createSafeFetch.js'
import { openVault } from '#adapters/kms/openVault.js'
import { createStorage } from '#adapters/storage/createStorage.js'
import type { Call } from '#base/call.js'
import type { CollectionDeps } from '#base/deps.js'
import { scopes } from '#base/scopes.js'
import { assertMasterKey } from '#identity/keys/assertMasterKey.js'
import type { CliContext } from './group.js'
import { requireProject } from './openProject.js'
import { configOf } from './settingsOf.js'
import { withChains } from './withChains.js'
import { quietLog, withJobs } from './withDatabase.js'

const openDeps = <Result>(
  context: CliContext,
  work: (deps: CollectionDeps) => Promise<Result>,
): Promise<Result> => {
  if (context.service) return work(context.service)
  const config = configOf(context)
  return withJobs(context, ({ db, jobs, notices }) =>
    withChains(context, db, async (chains) => {
      const vault = openVault(config, randomBytes)
      await assertMasterKey({ db, vault, randomBytes })
      const storage = createStorage(db, config.ipfsRpcUrl ? jobs : undefined)
      const safeFetch = createSafeFetch()
      return work({
        chains,
        config,
        db,
        jobs,
        log: quietLog(context),
        notices,
        now: Date.now,
        randomBytes,
        safeFetch,
        storage,
        vault,
      })
    }),
  )
}

/**
 * Runs verbs of the interface for the project in `--project`, with every scope that a server key can have.
 *
 * @throws {@link UsageError} if there is no project of this name.
 */
export const withProject = <Result>(
  context: CliContext,
  name: string,
  work: (deps: CollectionDeps, call: Call) => Promise<Result>,
): Promise<Result> =>
  openDeps(context, async (deps) => {
    const projectId = await requireProject(deps.db, name)
    const actor = { kind: 'server-key', keyId: 'command line', projectId, scopes } as const
    return work(deps, { actor, client: {}, complete: async () => {} })
  })
