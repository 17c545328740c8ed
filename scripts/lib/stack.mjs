import { startChild } from './child.mjs'
import { stateDir } from './paths.mjs'
import { findPort } from './ports.mjs'
import { claim } from './presence.mjs'
import { serviceProgram, storefrontProgram, urlsOf } from './programs.mjs'
import { openSandbox, saveSandbox } from './sandbox.mjs'
import { say, step } from './steps.mjs'
import { waitFor } from './waitFor.mjs'
import { openWebhookEndpoint } from './webhookEndpoint.mjs'

/**
 * @typedef {import('./child.mjs').Child} Child
 * @typedef {{
 *   dataDir?: string, signal?: AbortSignal | undefined,
 *   env?: Record<string, string>, isRestart?: boolean
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

/**
 * Starts the service on its own database and chains, and returns when it answers. Everything it keeps is
 * below `dataDir`; it must have been built before.
 * @param {StartOptions} [options]
 * @returns {Promise<RunningService>}
 */
export const startService = async ({ dataDir = stateDir, signal, env = {}, isRestart = false } = {}) => {
  /** @type {object} */
  let description = { pid: process.pid }
  const release = await claim(dataDir, () => description)
  /** @type {Child | undefined} */
  let service
  const stop = async () => {
    await service?.stop()
    await release()
  }
  try {
    const sandbox = await openOnFreePorts(dataDir, isRestart)
    const urls = urlsOf(sandbox)
    description = { ...description, ...urls }
    const started = startChild(serviceProgram(sandbox, dataDir, env))
    service = started
    await step('service, database and chains up', () => waitFor(`${urls.serviceUrl}/health`, started, signal))
    return { ...urls, sandbox, service, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Starts the storefront of a running service, and returns when it answers and is told of its orders.
 * @param {RunningService} running
 * @param {StartOptions & { isDev?: boolean }} [options]
 * @returns {Promise<Child>}
 */
export const startStorefront = async (
  running,
  { dataDir = stateDir, isDev = false, signal, env = {} } = {},
) => {
  const sandbox = await openWebhookEndpoint(dataDir, env)
  const storefront = startChild(storefrontProgram(sandbox, dataDir, isDev))
  try {
    await step('storefront up', () => waitFor(running.storefrontUrl, storefront, signal))
    return storefront
  } catch (error) {
    await storefront.stop()
    throw error
  }
}

/**
 * Starts the service and then the storefront, and returns when both answer.
 * @param {StartOptions & { isDev?: boolean }} [options]
 * @returns {Promise<Stack>}
 */
export const startStack = async (options) => {
  const running = await startService(options)
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
