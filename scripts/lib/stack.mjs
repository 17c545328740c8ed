import { build } from './build.mjs'
import { startChild } from './child.mjs'
import { stateDir } from './paths.mjs'
import { findPort } from './ports.mjs'
import { claim } from './presence.mjs'
import { serviceProgram, storefrontProgram } from './programs.mjs'
import { openSandbox, saveSandbox, urlsOf } from './sandbox.mjs'
import { say, timed } from './steps.mjs'
import { waitFor } from './waitFor.mjs'
import { openWebhookEndpoint } from './webhookEndpoint.mjs'

/**
 * `isClaimed` says that this process has claimed the data folder already.
 * @typedef {import('./child.mjs').Child} Child
 * @typedef {{
 *   dataDir?: string, signal?: AbortSignal | undefined,
 *   env?: Record<string, string>, isRestart?: boolean, isClaimed?: boolean
 * }} StartOptions
 * @typedef {{
 *   serviceUrl: string, storefrontUrl: string, sandbox: import('./sandbox.mjs').Sandbox,
 *   service: Child, stop(): Promise<void>,
 * }} RunningService
 * @typedef {RunningService & { storefront: Child }} Stack
 */

/**
 * The ports of this start: those of the last one if they are still free.
 * @param {string} dataDir
 * @param {boolean} isRestart whether the storefront went on meanwhile, so that its port is not for the taking
 */
const openOnFreePorts = async (dataDir, isRestart) => {
  const sandbox = openSandbox(dataDir)
  if (isRestart) return sandbox
  const service = await findPort(sandbox.ports.service)
  const storefront = await findPort(sandbox.ports.storefront, [service])
  if (service !== sandbox.ports.service)
    say(`    port ${sandbox.ports.service} is busy: the service takes ${service}`)
  if (storefront !== sandbox.ports.storefront)
    say(`    port ${sandbox.ports.storefront} is busy: the storefront takes ${storefront}`)
  const moved = { ...sandbox, ports: { service, storefront } }
  saveSandbox(dataDir, moved)
  return moved
}

const maxStarts = 5

/**
 * Starts a child that listens on a free port. A port that another program took since it was found free is left to it.
 * @template Started
 * @param {() => Promise<{ child: Child, started: Promise<Started> }>} start on ports that are free now
 * @returns {Promise<Started>}
 */
export const startOnFreePort = async (start) => {
  for (let count = 1; ; count++) {
    const { child, started } = await start()
    try {
      return await started
    } catch (error) {
      await child.stop()
      const isTaken = /EADDRINUSE|port \d+ on \S+ is in use/.test(child.output())
      if (!isTaken || count >= maxStarts) throw error
    }
  }
}

/**
 * Tells an answer of a child from one of another program on its port: a child says in its own log that it is ready,
 * which no other program can write to.
 * @param {Child} child
 * @param {RegExp} ready
 */
export const isFrom = (child, ready) => () => ready.test(child.output())

/**
 * Starts the service on its own database and chains, and returns when it answers. Everything it keeps is
 * below `dataDir`; it must have been built before.
 * @param {StartOptions} [options]
 * @returns {Promise<RunningService>}
 */
export const startService = async ({
  dataDir = stateDir,
  signal,
  env = {},
  isRestart = false,
  isClaimed = false,
} = {}) => {
  const release = isClaimed ? async () => {} : await claim(dataDir, () => urlsOf(openSandbox(dataDir)))
  /** @type {Child | undefined} */
  let service
  const stop = async () => {
    await service?.stop()
    await release()
  }
  try {
    const start = async () => {
      const sandbox = await openOnFreePorts(dataDir, isRestart)
      const urls = urlsOf(sandbox)
      const child = startChild(serviceProgram(sandbox, dataDir, env))
      service = child
      const isFromChild = isFrom(child, /"msg":"ready"/)
      const started = waitFor(`${urls.serviceUrl}/health`, child, { signal, isFromChild })
      return { child, started: started.then(() => ({ ...urls, sandbox, service: child, stop })) }
    }
    return await timed('service, database and chains', () => startOnFreePort(start))
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Starts the storefront of a running service, and returns once it answers and receives webhooks.
 * @param {RunningService} running
 * @param {StartOptions & { isDev?: boolean }} [options]
 * @returns {Promise<Child>}
 */
export const startStorefront = async (
  running,
  { dataDir = stateDir, isDev = false, signal, env = {} } = {},
) => {
  const start = async () => {
    const { ports, ...sandbox } = openSandbox(dataDir)
    const moved = { ...ports, storefront: await findPort(ports.storefront, [ports.service]) }
    saveSandbox(dataDir, { ...sandbox, ports: moved })
    const child = startChild(storefrontProgram(await openWebhookEndpoint(dataDir, env), dataDir, isDev))
    running.storefrontUrl = urlsOf({ ...sandbox, ports: moved }).storefrontUrl
    const isFromChild = isFrom(child, /Ready in/)
    const started = waitFor(running.storefrontUrl, child, { signal, isFromChild })
    return { child, started: started.then(() => child) }
  }
  return timed('storefront', () => startOnFreePort(start))
}

/**
 * Builds what has changed and starts the service. Only the storefront's own start needs its build, so the two run
 * side by side; if one fails, the other is ended.
 * @param {StartOptions & { isDev?: boolean }} options
 * @returns {Promise<RunningService>}
 */
const buildAndStartService = async ({ isDev = false, signal, ...options }) => {
  await build(['library'], signal)
  const failure = new AbortController()
  const either = AbortSignal.any(signal ? [signal, failure.signal] : [failure.signal])
  const fail = (/** @type {unknown} */ error) => {
    failure.abort(error)
    return undefined
  }
  const [running] = await Promise.all([
    build(['service'], either)
      .then(() => startService({ ...options, signal: either }))
      .catch(fail),
    isDev ? undefined : build(['storefront'], either).catch(fail),
  ])
  if (running && !failure.signal.aborted) return running
  await running?.stop()
  throw failure.signal.reason
}

/**
 * Starts the service and then the storefront, and returns when both answer.
 * @param {StartOptions & { isDev?: boolean, isBuilt?: boolean }} [options] what has changed is built first unless
 *   `isBuilt`
 * @returns {Promise<Stack>}
 */
export const startStack = async ({ isBuilt = true, ...options } = {}) => {
  const running = isBuilt ? await startService(options) : await buildAndStartService(options)
  try {
    const storefront = await startStorefront(running, options)
    return {
      ...running,
      storefront,
      async stop() {
        await storefront.stop()
        await running.stop()
      },
    }
  } catch (error) {
    await running.stop()
    throw error
  }
}
