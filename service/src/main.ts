import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAdaptorServer } from '@hono/node-server'
import { createApp } from './app.js'
import { listContracts } from './chains/evm/listContracts.js'
import { type OpenChain, openChain } from './chains/openChain.js'
import { serveCommands } from './cli/serveCommands.js'
import type { Config } from './config.js'
import { createHandlers } from './createHandlers.js'
import { createLog } from './createLog.js'
import { openDatabase } from './db/openDatabase.js'
import type { Deps } from './deps.js'
import { createSafeFetch } from './guard/createSafeFetch.js'
import { createSafePost } from './guard/createSafePost.js'
import { checkHealth } from './http/health.js'
import { forgetKeys } from './http/idempotencyClaims.js'
import { createRateLimits } from './http/rateLimits.js'
import { createChainTurns } from './jobs/chainTurns.js'
import { createJobs } from './jobs/createJobs.js'
import { assertMasterKey } from './keys/assertMasterKey.js'
import { createMailer } from './mail/createMailer.js'
import { parseConfig } from './parseConfig.js'
import { watchPayments } from './payments/watchPayments.js'
import { runCli } from './runCli.js'
import { createSandbox } from './sandbox/createSandbox.js'
import { fundAddress } from './sandbox/fundAddress.js'
import { readSandboxKeys } from './sandbox/readSandboxKeys.js'
import type { SandboxChain } from './sandbox/sandboxChain.js'
import { seed } from './sandbox/seed.js'
import { createIpfsNode } from './storage/createIpfsNode.js'
import { createStorage } from './storage/createStorage.js'
import { pinFile } from './storage/pinFile.js'
import { pinWaiting } from './storage/pinWaiting.js'
import { createVault } from './wallets/vault.js'
import { forgetEvents } from './webhooks/forgetEvents.js'

/** How long requests, and then jobs, may go on after the signal to stop. */
const patienceMs = 3_000
const cleaningMs = 60 * 60_000

/** Contracts are put in place before a browser sees the chain: it may read a token it is about to be given. */
const toSandboxChain = ({ port, node }: OpenChain, contracts: SandboxChain['contracts']): SandboxChain[] => {
  if (!node) return []
  const rpcUrl = async () => {
    await port.ready()
    return node.rpcUrl()
  }
  const { chain, chainId, currencies } = port
  const fund = async (address: string) => fundAddress(await rpcUrl(), currencies, address)
  return [{ chain, chainId, currencies, contracts, rpcUrl, fund }]
}

const listen = async (app: { fetch: Parameters<typeof createAdaptorServer>[0]['fetch'] }, config: Config) => {
  const server = createAdaptorServer({ fetch: app.fetch })
  server.listen(config.port, config.host)
  await once(server, 'listening').catch((error: unknown) => {
    const isBusy = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    throw isBusy
      ? new Error(`port ${config.port} on ${config.host} is in use: set KASSA_PORT to another`)
      : error
  })
  return async () => {
    const closed = once(server, 'close')
    server.close()
    if ('closeIdleConnections' in server) server.closeIdleConnections()
    await Promise.race([closed, sleep(patienceMs)])
    if ('closeAllConnections' in server) server.closeAllConnections()
  }
}

/** The command line cannot open the embedded database beside us, so we do what it is asked. */
const takeCommands = (deps: Deps): Promise<() => Promise<void>> =>
  serveCommands(deps.config.dataDir, (args, output) =>
    runCli(args, { env: process.env, service: deps, ...output }),
  ).catch((err: unknown) => {
    deps.log.warn({ err }, 'the command line cannot reach this service')
    return async () => {}
  })

const start = async (): Promise<void> => {
  const config = parseConfig(process.env)
  const log = createLog(config)
  const keys = config.isSandbox ? readSandboxKeys(process.env, config.dataDir, randomBytes) : undefined
  const database = await openDatabase(config, (err) => log.warn({ err }, 'a database connection broke'))
  const { db } = database
  await assertMasterKey({ db, config, randomBytes }).catch(async (error) => {
    await database.close()
    throw error
  })
  const jobs = await createJobs(database, log)
  const chains = new Map(Object.keys(config.chains).map((name) => [name, openChain(config, db, log, name)]))
  const deps: Deps = {
    config,
    db,
    jobs,
    chains: { enabled: [...chains.keys()], get: (name) => chains.get(name)?.port },
    storage: createStorage(db, config.ipfsRpcUrl ? jobs : undefined),
    safeFetch: createSafeFetch(),
    safePost: createSafePost({ isGuarded: config.environment === 'production' }),
    mailer: createMailer(config, log),
    vault: createVault({ masterKey: config.masterKey, randomBytes }),
    log,
    now: Date.now,
    randomBytes,
  }
  const seeded = keys && (await seed(deps, keys))
  const { contracts } = listContracts(config)
  const locals = new Map(
    [...chains.values()]
      .flatMap((chain) => toSandboxChain(chain, contracts))
      .map((chain) => [chain.chain, chain]),
  )
  const isStarted = (name: string): boolean => chains.get(name)?.node?.isStarted ?? true
  const app = createApp({
    deps,
    limits: createRateLimits(config.limits, database.pool),
    checkHealth: () => checkHealth(deps, isStarted, () => jobs.isRunning),
    ...(seeded && { sandbox: createSandbox(deps, seeded.projectId, locals) }),
  })

  const watcher = watchPayments(deps)
  await jobs.start({
    ...createHandlers({ ...deps, chains: createChainTurns(deps.chains, deps.now) }),
    'payments.look': watcher.look,
    ...(config.ipfsRpcUrl && { 'files.pin': pinFile(deps, createIpfsNode(config.ipfsRpcUrl)) }),
  })
  if (config.ipfsRpcUrl) {
    pinWaiting(deps).catch((err) => log.warn({ err }, 'files from before the IPFS node are not pinned yet'))
  }
  const stopCommands = config.databaseUrl ? async () => {} : await takeCommands(deps)
  const cleaning = setInterval(() => {
    forgetKeys(db, deps.now()).catch((err) => log.warn({ err }, 'old idempotency keys were not forgotten'))
    forgetEvents(db, deps.now()).catch((err) => log.warn({ err }, 'old webhook events were not forgotten'))
  }, cleaningMs)

  const stop = async (): Promise<void> => {
    clearInterval(cleaning)
    await Promise.race([Promise.all([stopCommands(), watcher.stop(), jobs.stop()]), sleep(patienceMs)])
    await Promise.allSettled([...chains.values()].map(({ port }) => port.close()))
    await database.close()
  }
  const stopListening = await listen(app, config).catch(async (error) => {
    await stop()
    throw error
  })

  let isStopping = false
  const end = (signal: string) => {
    if (isStopping) process.exit(1)
    isStopping = true
    log.info({ signal }, 'stopping')
    stopListening()
      .then(stop)
      .then(
        () => process.exit(0),
        (err: unknown) => {
          log.error({ err }, 'stopping failed')
          process.exit(1)
        },
      )
  }
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'a bug ended the service')
    process.exit(1)
  })
  process.stdout.write(`${JSON.stringify({ msg: 'ready', url: config.publicUrl, pid: process.pid })}\n`)
}

start().catch((error: unknown) => {
  process.stderr.write(`kassa: ${error instanceof Error ? error.message : 'could not start'}\n`)
  process.exit(1)
})
