import { randomBytes } from 'node:crypto'
import { createIssuer } from '#adapters/chains/evm/accounts/createIssuer.js'
import { listContracts } from '#adapters/chains/evm/payments/listContracts.js'
import { accountAddress } from '#adapters/chains/solana/connection/accountAddress.js'
import { createEndpointUrlCheck } from '#adapters/guard/createEndpointUrlCheck.js'
import { createSafeFetch } from '#adapters/guard/createSafeFetch.js'
import { createSafePost } from '#adapters/guard/createSafePost.js'
import { createJobs } from '#adapters/jobs/createJobs.js'
import { limitChains } from '#adapters/jobs/limitChains.js'
import { openVault } from '#adapters/kms/openVault.js'
import { createMailer } from '#adapters/mail/createMailer.js'
import { openDatabase } from '#adapters/postgres/openDatabase.js'
import { createRates } from '#adapters/rates/createRates.js'
import { createIpfsNode } from '#adapters/storage/createIpfsNode.js'
import { createStorage } from '#adapters/storage/createStorage.js'
import { pinFile, pinWaiting } from '#adapters/storage/pin.js'
import { parseConfig, publicUrlFault } from '#base/config/parseConfig.js'
import { isDiskFull, runWatching } from '#base/db/diskState.js'
import { readSchemaState } from '#base/db/schemaState.js'
import type { Deps, Log } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import type { Check } from '#base/lib/check.js'
import { memoizeAsync } from '#base/lib/memoizeAsync.js'
import { watchTokens } from '#holdings/tokens/watchTokens.js'
import { invite } from '#identity/console/accounts.js'
import { forgetSessions } from '#identity/console/sessions.js'
import { forgetTokens } from '#identity/console/tokens.js'
import { assertMasterKey } from '#identity/keys/assertMasterKey.js'
import { createApp } from '#interface/app.js'
import { checkHealth, checkReadiness } from '#interface/http/health.js'
import { forgetKeys } from '#interface/http/idempotencyClaims.js'
import { createRateLimits } from '#interface/http/rateLimit.js'
import { forgetMails } from '#notify/mails/forgetMails.js'
import { forgetEvents } from '#notify/webhooks/forgetEvents.js'
import { tidyTotals } from '#sale/ledger/totals.js'
import { createOrderStreams } from '#sale/orders/createOrderStreams.js'
import { indexOrders } from '#sale/orders/indexOrders.js'
import { listOnSale } from '#sale/orders/listOnSale.js'
import { correctReserved } from '#sale/orders/recountReserved.js'
import { watchPayments } from '#sale/payments/watchPayments.js'
import type { Environment } from './cli/group.js'
import { createHandlers } from './createHandlers.js'
import { createLog } from './createLog.js'
import { diagnose } from './diagnose.js'
import { createMetrics } from './metrics/createMetrics.js'
import { createMetricsApp } from './metrics/createMetricsApp.js'
import { readCounts } from './metrics/readCounts.js'
import { type OpenChain, openChain } from './openChain.js'
import { afterwardsMs, createStop } from './process/createStop.js'
import { listen } from './process/listen.js'
import { readVersion } from './process/readVersion.js'
import { onSignal, takeCommands, withTimeLimit } from './process/signals.js'
import { toSandboxChains } from './process/toSandboxChains.js'
import { createSandbox } from './sandbox/createSandbox.js'
import { readSandboxKeys, type SandboxKeys } from './sandbox/readSandboxKeys.js'
import { seed } from './sandbox/seed.js'

const cleaningMs = 60 * 60_000
/** The shortest intervals between database queries, however often probes and scrapes ask. */
const readinessMs = 1_000
const countsMs = 5_000
/** The shortest intervals between looks at the disk of the database, and between diagnoses. */
const diskMs = 10_000
const diagnosisMs = 60_000

/**
 * Refuses to start if tokens are configured wrongly. A chain that does not answer is checked once it does.
 */
const checkChains = async (log: Log, chains: ReadonlyMap<string, OpenChain>): Promise<void> => {
  const remote = [...chains].filter(([, { node }]) => !node)
  const check = async ([chain, { port }]: [string, OpenChain]): Promise<void> => {
    try {
      await port.checkTokens()
    } catch (err) {
      if (!(err instanceof ServiceError)) throw err
      log.warn({ chain, err }, 'a chain does not answer: its tokens are checked once it does')
    }
  }
  await Promise.all(remote.map(check))
}

/** A service that accepts requests. */
export type Started = {
  url: string
  /** Of a sandbox: its keys, and what makes a link that opens its console as an owner, once. */
  sandbox: (SandboxKeys & { inviteToConsole(): Promise<string> }) | undefined
}

/**
 * Runs the service until it is signalled to stop.
 *
 * @param onReady - Called once the service accepts requests.
 * @throws {@link ConfigError} naming a variable, or an Error that says in one line what prevents the start.
 */
export const main = async (
  env: Environment,
  onReady: (started: Started) => void | Promise<void>,
): Promise<void> => {
  const config = parseConfig(env)
  const log = createLog(config)
  const fault = publicUrlFault(config)
  if (fault) log.warn(fault)
  const keys = config.isSandbox ? readSandboxKeys(env, config.dataDir, randomBytes) : undefined
  const metrics = createMetrics(readVersion())
  const stop = createStop(log, config)
  let isUp = false
  let sandbox: Started['sandbox']
  let examine = async (): Promise<readonly Check[]> => []
  // Registered before any wait: the first process of a container receives only the signals that it handles.
  onSignal(async (signal) => {
    log.info({ signal }, 'stopping')
    if (isUp) await stop.drain()
    return stop.run()
  }, Date.now)
  try {
    const database = await openDatabase(config, (err) => log.warn({ err }, 'a database connection broke'))
    stop.atLast('the database', () => database.close())
    const { db } = database
    const schemaState = memoizeAsync(() => readSchemaState(database.watchSql), readinessMs, Date.now)
    if ((await schemaState()) === 'ahead') {
      log.warn('the database is newer than this build, which is meant to be for as long as a rollout takes')
    }
    const vault = openVault(config, randomBytes)
    await assertMasterKey({ db, vault, randomBytes })
    const jobs = createJobs(database, log)
    const chains = new Map(
      Object.keys(config.chains).map((name) => [
        name,
        openChain(config, db, log, name, () => metrics.countChainError(name)),
      ]),
    )
    stop.after('the chains', async () => {
      await Promise.allSettled([...chains.values()].map(({ port }) => port.close()))
    })
    await checkChains(log, chains)
    const registry = { enabled: [...chains.keys()], get: (name: string) => chains.get(name)?.port }
    const safeFetch = createSafeFetch()
    const orderStreams = createOrderStreams({
      db,
      notices: database.notices,
      log,
      now: Date.now,
      randomBytes,
      config,
    })
    const deps: Deps = {
      config,
      db,
      jobs,
      notices: database.notices,
      orderStreams,
      chains: registry,
      rates: createRates({ chains: registry, safeFetch, log, now: Date.now }, config.rates),
      storage: createStorage(db, config.ipfsRpcUrl ? jobs : undefined),
      safeFetch,
      safePost: createSafePost({ isGuarded: config.environment === 'production' }),
      checkEndpointUrl: createEndpointUrlCheck({ isGuarded: config.environment === 'production' }),
      mailer: createMailer(config, log),
      vault,
      issuer: createIssuer(config.operatorKey),
      log,
      now: Date.now,
      randomBytes,
    }
    await correctReserved(db, log)
    for (const sale of await listOnSale(deps)) log.info(sale, 'currencies on sale, in US dollars')
    const seeded = keys && (await seed(deps, keys))
    sandbox = seeded && {
      ...keys,
      inviteToConsole: () => invite(deps, { projectId: seeded.projectId, role: 'owner' }),
    }
    const locals = toSandboxChains(chains.values(), {
      contracts: listContracts(config).contracts,
      operator: config.solanaOperatorKey && accountAddress(config.solanaOperatorKey),
    })
    const isStarted = (name: string): boolean => chains.get(name)?.port.isStarted() ?? true
    const isWorking = () => jobs.isRunning
    const isFull = memoizeAsync(() => isDiskFull(runWatching(database.watchSql)), diskMs, Date.now)
    const readiness = () =>
      checkReadiness({
        isWorking,
        isDiskFull: isFull,
        isStopping: stop.isStopping,
        readSchemaState: schemaState,
      })
    let checks: readonly Check[] | undefined
    examine = memoizeAsync(
      async () => {
        checks = await diagnose(deps)
        return checks
      },
      diagnosisMs,
      Date.now,
    )
    /** A diagnosis takes seconds, so health shows the last one meanwhile. */
    const readChecks = async () => {
      const newer = examine()
      newer.catch((err) => log.warn({ err }, 'the deployment could not be diagnosed'))
      return checks ?? newer
    }
    const app = createApp({
      deps,
      limits: createRateLimits(config.limits, database.pool),
      checkHealth: memoizeAsync(
        () => checkHealth(deps, { isStarted, isWorking, isDiskFull: isFull, readChecks }),
        readinessMs,
        Date.now,
      ),
      checkReadiness: readiness,
      isStopping: stop.isStopping,
      record: metrics.recordRequest,
      ...(seeded && { sandbox: createSandbox(deps, seeded.projectId, locals) }),
      ...(keys && { sandboxKey: keys.serverKey }),
    })
    const counts = memoizeAsync(() => readCounts(database.watchSql), countsMs, Date.now)
    const scrape = { ...deps, readCounts: counts, isStarted, checkReadiness: readiness }
    const monitored = createMetricsApp(metrics, scrape)
    if (config.metrics) {
      stop.after('metrics', await listen(monitored.fetch, config.metrics, 'KASSA_METRICS_PORT'))
    }

    const watcher = watchPayments(deps)
    stop.during('the payment watcher', withTimeLimit(watcher.stop))
    stop.during('the token watcher', withTimeLimit(watchTokens(deps).stop))
    stop.during('jobs', (patienceMs) => jobs.stop(patienceMs, afterwardsMs))
    const limitedChains = limitChains(deps.chains, deps.now)
    await jobs.start((slots) => ({
      ...createHandlers({ ...deps, chains: limitedChains(slots) }),
      'payments.look': watcher.look,
      ...(config.ipfsRpcUrl && { 'files.pin': pinFile(deps, createIpfsNode(config.ipfsRpcUrl)) }),
    }))
    if (config.ipfsRpcUrl) {
      pinWaiting(deps).catch((err) => log.warn({ err }, 'files from before the IPFS node are not pinned yet'))
    }
    stop.during('commands', withTimeLimit(await takeCommands(deps, env)))
    const tidyLedger = () =>
      tidyTotals(db, log, deps.now()).catch((err) => log.warn({ err }, 'the ledger was not added up'))
    void tidyLedger()
    const indexAll = () =>
      indexOrders(db).catch((err) => log.warn({ err }, 'old orders are not found by a search yet'))
    void indexAll()
    const cleaning = setInterval(() => {
      void tidyLedger()
      void indexAll()
      correctReserved(db, log).catch((err) => log.warn({ err }, 'reserved tokens were not counted again'))
      forgetKeys(db, deps.now(), config.retention.repliesMs).catch((err) =>
        log.warn({ err }, 'old idempotency keys were not forgotten'),
      )
      forgetEvents(db, deps.now(), config.retention.eventsMs).catch((err) =>
        log.warn({ err }, 'old webhook events were not forgotten'),
      )
      forgetMails(db, deps.now(), config.retention.mailsMs).catch((err) =>
        log.warn({ err }, 'old e-mails were not forgotten'),
      )
      Promise.all([forgetSessions(deps), forgetTokens(deps)]).catch((err) =>
        log.warn({ err }, 'old sessions of the console were not forgotten'),
      )
    }, cleaningMs)
    stop.during('cleaning', async () => clearInterval(cleaning))
    stop.during('streams of orders', orderStreams.stop)
    stop.during('requests', await listen(app.fetch, config, 'KASSA_PORT (of a sandbox: --port)'))
  } catch (error) {
    // A failure after the signal comes from what the signal has closed, and the process is ending already.
    if (stop.isStopping()) return
    await stop.run()
    throw error
  }
  isUp = true
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'a bug ended the service')
    process.exit(1)
  })
  examine().then(
    (checks) => {
      for (const { name, status, text } of checks) {
        if (text === fault) continue
        if (status === 'failed') log.error({ check: name }, text)
        if (status === 'warning') log.warn({ check: name }, text)
      }
    },
    (err) => log.warn({ err }, 'the deployment could not be diagnosed'),
  )
  await onReady({ url: config.publicUrl, sandbox })
}
