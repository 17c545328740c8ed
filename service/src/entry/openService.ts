import { randomBytes } from 'node:crypto'
import { createIssuer } from '#adapters/chains/evm/accounts/createIssuer.js'
import { createEndpointUrlCheck } from '#adapters/guard/createEndpointUrlCheck.js'
import { createSafeFetch } from '#adapters/guard/createSafeFetch.js'
import { createSafePost } from '#adapters/guard/createSafePost.js'
import { createJobs, type JobQueue } from '#adapters/jobs/createJobs.js'
import { openVault } from '#adapters/kms/openVault.js'
import { createMailer } from '#adapters/mail/createMailer.js'
import { openDatabase } from '#adapters/postgres/openDatabase.js'
import { createRates } from '#adapters/rates/createRates.js'
import { createStorage } from '#adapters/storage/createStorage.js'
import type { Config } from '#base/config/config.js'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { readSchemaState } from '#base/db/schemaState.js'
import type { Deps, Log } from '#base/deps.js'
import { memoizeAsync } from '#base/lib/memoizeAsync.js'
import { assertMasterKey } from '#identity/keys/assertMasterKey.js'
import { createOrderStreams } from '#sale/orders/createOrderStreams.js'
import { type OpenChains, openChains } from './openChains.js'
import type { Stop } from './process/createStop.js'

/** The shortest interval between reads of the schema's state, however often probes ask. */
const schemaStateMs = 1_000

/** What the service works with: its database, its queue, its chains, and from them what every verb needs. */
export type OpenService = {
  deps: Deps
  database: OpenDatabase
  jobs: JobQueue
  chains: OpenChains
  readSchemaState(): ReturnType<typeof readSchemaState>
}

/**
 * Opens what the service works with, and has it closed when the process ends. Nothing works yet.
 *
 * @param countChainError - Called each time the node of a chain does not answer.
 */
export const openService = async (
  settings: { config: Config; log: Log; stop: Stop },
  countChainError: (chain: string) => void,
): Promise<OpenService> => {
  const { config, log, stop } = settings
  const database = await openDatabase(config, (err) => log.warn({ err }, 'a database connection broke'))
  stop.atLast('the database', () => database.close())
  const { db, notices } = database
  const schemaState = memoizeAsync(() => readSchemaState(database.watchSql), schemaStateMs, Date.now)
  if ((await schemaState()) === 'ahead') {
    log.warn({}, 'the database is newer than this build, which is meant to be for as long as a rollout takes')
  }
  const vault = openVault(config, randomBytes)
  await assertMasterKey({ db, vault, randomBytes })
  const jobs = createJobs(database, log)
  const chains = await openChains(settings, db, countChainError)
  const registry = { enabled: [...chains.keys()], get: (name: string) => chains.get(name)?.port }
  const safeFetch = createSafeFetch()
  const isGuarded = config.environment === 'production'
  const now = Date.now
  const deps: Deps = {
    config,
    db,
    jobs,
    notices,
    orderStreams: createOrderStreams({ db, notices, log, now, randomBytes, config }),
    chains: registry,
    rates: createRates({ chains: registry, safeFetch, log, now }, config.rates),
    storage: createStorage(db, config.ipfsRpcUrl ? jobs : undefined),
    safeFetch,
    safePost: createSafePost({ isGuarded }),
    checkEndpointUrl: createEndpointUrlCheck({ isGuarded }),
    mailer: createMailer(config, log),
    vault,
    issuer: createIssuer(config.operatorKey),
    log,
    now,
    randomBytes,
  }
  return { deps, database, jobs, chains, readSchemaState: schemaState }
}
