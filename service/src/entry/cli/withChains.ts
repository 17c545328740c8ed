import type { Database } from '#base/db/database.js'
import type { ChainRegistry } from '#base/deps.js'
import { createLog } from '../createLog.js'
import { openChain } from '../openChain.js'
import type { CliContext } from './group.js'
import { configOf } from './settingsOf.js'

/**
 * Runs work on the chains of a running service. Without one, it opens them and closes them afterwards.
 */
export const withChains = async <Result>(
  context: CliContext,
  db: Database,
  work: (chains: ChainRegistry) => Promise<Result>,
): Promise<Result> => {
  if (context.service) return work(context.service.chains)
  const config = configOf(context)
  const log = createLog(config, { write: context.err })
  const ports = new Map(
    Object.keys(config.chains).map((name) => [name, openChain({ config, db, log }, name).port]),
  )
  try {
    return await work({ enabled: [...ports.keys()], get: (name) => ports.get(name) })
  } finally {
    await Promise.allSettled([...ports.values()].map((port) => port.close()))
  }
}
