import { randomBytes } from 'node:crypto'
import type { Config } from '#base/config/config.js'
import { parseConfig, publicUrlFault } from '#base/config/parseConfig.js'
import type { Log } from '#base/deps.js'
import { memoizeAsync } from '#base/lib/memoizeAsync.js'
import { createApp } from '#interface/app.js'
import { createRateLimits } from '#interface/http/rateLimit.js'
import { listOnSale } from '#sale/orders/listOnSale.js'
import { correctReserved } from '#sale/orders/recountReserved.js'
import type { Environment } from './cli/group.js'
import { createLog } from './createLog.js'
import { createProbes, type Probes } from './createProbes.js'
import { listPayRules } from './listPayRules.js'
import { createMetrics, type Metrics } from './metrics/createMetrics.js'
import { createMetricsApp } from './metrics/createMetricsApp.js'
import { readCounts } from './metrics/readCounts.js'
import { openSandbox, type Sandbox } from './openSandbox.js'
import { type OpenService, openService } from './openService.js'
import { createStop, type Stop } from './process/createStop.js'
import { listen } from './process/listen.js'
import { readVersion } from './process/readVersion.js'
import { onSignal } from './process/signals.js'
import { readSandboxKeys, type SandboxKeys } from './sandbox/readSandboxKeys.js'
import { startWork } from './startWork.js'

/** The shortest interval between counts in the database, however often the metrics are scraped. */
const countsMs = 5_000

/** A service that accepts requests. */
export type Started = {
  url: string
  /** Of a sandbox: its keys, and what makes a link that opens its console as an owner, once. */
  sandbox: (SandboxKeys & Pick<Sandbox, 'inviteToConsole'>) | undefined
}

/** A process before it opens anything. */
type Process = {
  env: Environment
  config: Config
  log: Log
  stop: Stop
  metrics: Metrics
  /** The keys of a sandbox. */
  keys: SandboxKeys | undefined
}

/** Listens for the operator's monitoring, if it has a port of its own. */
const serveMetrics = async (
  { config, stop, metrics }: Process,
  { deps, database }: OpenService,
  { isStarted, checkReadiness }: Probes,
): Promise<void> => {
  if (!config.metrics) return
  const counts = memoizeAsync(() => readCounts(database.watchSql), countsMs, Date.now)
  const monitored = createMetricsApp(metrics, { ...deps, readCounts: counts, isStarted, checkReadiness })
  stop.after('metrics', await listen(monitored.fetch, config.metrics, 'KASSA_METRICS_PORT'))
}

/** Opens the service, starts its work and listens for requests. */
const start = async (own: Process): Promise<{ sandbox: Sandbox | undefined; probes: Probes }> => {
  const { env, config, log, stop, metrics, keys } = own
  const opened = await openService(own, metrics.countChainError)
  const { deps, database, chains } = opened
  await correctReserved(deps.db, log)
  for (const sale of await listOnSale(deps)) log.info(sale, 'currencies on sale, in US dollars')
  const sandbox = keys && (await openSandbox(deps, keys, chains))
  const probes = createProbes(opened, stop.isStopping)
  const app = createApp({
    deps,
    limits: createRateLimits(config.limits, database.pool),
    checkHealth: probes.checkHealth,
    checkReadiness: probes.checkReadiness,
    isStopping: stop.isStopping,
    record: metrics.recordRequest,
    payRules: listPayRules(config),
    ...(sandbox && { sandbox: sandbox.app }),
    ...(keys && { sandboxKey: keys.serverKey }),
  })
  await serveMetrics(own, opened, probes)
  await startWork(opened, stop, env)
  stop.during('streams of orders', deps.orderStreams.stop)
  stop.during('requests', await listen(app.fetch, config, 'KASSA_PORT (of a sandbox: --port)'))
  return { sandbox, probes }
}

/** Writes to the log what a diagnosis finds wrong, except for what the log has already. */
const logChecks = async (log: Log, { examine }: Probes, known: string | undefined): Promise<void> => {
  try {
    for (const { name, status, text } of await examine()) {
      if (text === known) continue
      if (status === 'failed') log.error({ check: name }, text)
      if (status === 'warning') log.warn({ check: name }, text)
    }
  } catch (err) {
    log.warn({ err }, 'the deployment could not be diagnosed')
  }
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
  // Registered before any wait: the first process of a container receives only the signals that it handles.
  onSignal(async (signal) => {
    log.info({ signal }, 'stopping')
    if (isUp) await stop.drain()
    return stop.run()
  }, Date.now)
  const started = await start({ env, config, log, stop, metrics, keys }).catch(async (error: unknown) => {
    // A failure after the signal comes from what the signal has closed, and the process is ending already.
    if (stop.isStopping()) return undefined
    await stop.run()
    throw error
  })
  if (!started) return
  isUp = true
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'a bug ended the service')
    process.exit(1)
  })
  const { sandbox, probes } = started
  void logChecks(log, probes, fault)
  await onReady({
    url: config.publicUrl,
    sandbox: sandbox && keys && { ...keys, inviteToConsole: sandbox.inviteToConsole },
  })
}
