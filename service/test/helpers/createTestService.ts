import { randomBytes } from 'node:crypto'
import type { Hono } from 'hono'
import { createIssuer } from '#adapters/chains/evm/accounts/createIssuer.js'
import { createJobs, type JobQueue } from '#adapters/jobs/createJobs.js'
import { openVault } from '#adapters/kms/openVault.js'
import { createStorage } from '#adapters/storage/createStorage.js'
import type { Config } from '#base/config/config.js'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { readSchemaState } from '#base/db/schemaState.js'
import type { Deps } from '#base/deps.js'
import type { ChainPort } from '#base/ports/chain.js'
import { jobNames } from '#base/ports/jobNames.js'
import { scopes } from '#base/scopes.js'
import { createLog } from '#entry/createLog.js'
import { createKey } from '#identity/keys/apiKeys.js'
import { createProject } from '#identity/projects/projects.js'
import { createApp } from '#interface/app.js'
import type { ServiceEnv } from '#interface/http/context.js'
import { checkHealth, checkReadiness } from '#interface/http/health.js'
import type { MeasuredRequest } from '#interface/http/measure.js'
import { createRateLimits } from '#interface/http/rateLimit.js'
import { createOrderStreams } from '#sale/orders/createOrderStreams.js'
import { createTestDatabase } from './createTestDatabase.js'
import { testConfig } from './testConfig.js'
import { type Network, testNetwork } from './testNetwork.js'

/** The allowed origin of the test client key. */
export const testOrigin = 'https://shop.example'

export type TestServiceOptions = {
  chains?: readonly ChainPort[]
  config?: Partial<Config>
  /** The caller's database, which stays open when the service closes. */
  database?: OpenDatabase
  /** The job handlers. Without them, no job runs. */
  handlers?: (deps: Deps) => Parameters<JobQueue['start']>[0]
  /** The services beyond database and chains. The others are as in {@link testNetwork}. */
  network?: Partial<Network>
  /** Called for every request. */
  record?: (request: MeasuredRequest) => void
  /** Epoch milliseconds at which the clock starts. */
  nowMs?: number
}

export type TestService = {
  app: Hono<ServiceEnv>
  deps: Deps
  jobs: JobQueue
  database: OpenDatabase
  projectId: string
  serverKey: string
  clientKey: string
  /** Everything logged so far. */
  logged(): string
  /** Moves the clock, and the waiting jobs with it. */
  advance(ms: number): Promise<void>
  close(): Promise<void>
}

/**
 * Creates the whole service in this process, with a project and a key of each kind. The test moves the clock.
 */
export const createTestService = async (options: TestServiceOptions = {}): Promise<TestService> => {
  const config: Config = { ...testConfig, ...options.config }
  const database = options.database ?? (await createTestDatabase())
  const { db } = database
  let log = ''
  const logger = createLog(config, { write: (line) => (log += line) })
  const jobs = createJobs(database, logger)
  const chains = new Map((options.chains ?? []).map((chain) => [chain.chain, chain]))
  let skippedMs = options.nowMs === undefined ? 0 : options.nowMs - Date.now()
  const now = () => Date.now() + skippedMs
  const orderStreams = createOrderStreams({
    db,
    notices: database.notices,
    log: logger,
    now,
    randomBytes,
    config,
  })
  const deps: Deps = {
    config,
    db,
    jobs: {
      // The queue uses the database's clock, which does not move with the test's.
      enqueue: (tx, name, data, { startAfter } = {}) => {
        const wait = startAfter && { startAfter: new Date(startAfter.getTime() - skippedMs) }
        return jobs.enqueue(tx, name, data, wait)
      },
    },
    notices: database.notices,
    orderStreams,
    chains: { enabled: [...chains.keys()], get: (name) => chains.get(name) },
    storage: createStorage(db, config.ipfsRpcUrl ? jobs : undefined),
    vault: openVault(config, randomBytes),
    issuer: createIssuer(config.operatorKey),
    ...testNetwork,
    ...options.network,
    log: logger,
    now,
    randomBytes,
  }
  const projectId = await createProject(db, `test ${randomBytes(6).toString('hex')}`)
  const shared = { environment: config.environment, projectId }
  const serverKey = await createKey(deps, { ...shared, kind: 'server', scopes, origins: [] })
  const clientKey = await createKey(deps, {
    ...shared,
    kind: 'client',
    scopes: ['orders.create'],
    origins: [testOrigin],
  })
  const app = createApp({
    deps,
    limits: createRateLimits(config.limits, database.pool),
    checkHealth: () =>
      checkHealth(deps, {
        isStarted: () => true,
        isWorking: () => jobs.isRunning,
        isDiskFull: async () => false,
      }),
    checkReadiness: () =>
      checkReadiness({
        readSchemaState: () => readSchemaState(database.executeSql),
        isDiskFull: async () => false,
        isWorking: () => jobs.isRunning,
        isStopping: () => false,
      }),
    isStopping: () => false,
    record: options.record ?? (() => {}),
  })
  if (options.handlers) await jobs.start(options.handlers(deps))
  return {
    app,
    deps,
    jobs,
    database,
    projectId,
    serverKey,
    clientKey,
    logged: () => log,
    advance: async (ms) => {
      skippedMs += ms
      await database.executeSql(
        `update jobs set start_after = start_after - $1 * interval '1 millisecond' where claim is null`,
        [ms],
      )
      for (const name of jobNames) database.notices.tell('jobs', name)
    },
    close: async () => {
      await orderStreams.stop()
      await jobs.stop()
      if (!options.database) await database.close()
    },
  }
}
