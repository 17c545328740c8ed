import { spawn } from 'node:child_process'
import { serviceProgram, urlsOf } from './programs.mjs'
import { openSandbox, saveSandbox } from './sandbox.mjs'
import { step } from './steps.mjs'

/** @typedef {import('./sandbox.mjs').Sandbox} Sandbox */

/** What the storefront writes down; quotes that nobody pays are none of its business. */
const types = [
  'orders.payment.succeeded',
  'orders.payment.failed',
  'orders.delivery.initiated',
  'orders.delivery.failed',
  'orders.delivery.completed',
]

/**
 * Has the service do a command of its operator.
 * @param {{ script: string, env: NodeJS.ProcessEnv }} program
 * @param {string[]} args
 * @returns {Promise<string>} what it printed
 */
const command = ({ script, env }, args) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let [out, problem] = ['', '']
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    child.stderr.on('data', (chunk) => {
      problem += chunk
    })
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve(out) : reject(new Error(problem.trim()))))
  })

/**
 * Has the service tell the storefront of its orders. It is registered once, and follows when the storefront has
 * moved to another port.
 * @param {string} dataDir
 * @param {Record<string, string>} settings the service's own, over those of the sandbox
 * @returns {Promise<Sandbox>} with the endpoint
 */
export const openWebhookEndpoint = async (dataDir, settings) => {
  const sandbox = openSandbox(dataDir)
  const { webhook: known } = sandbox
  const url = `${urlsOf(sandbox).storefrontUrl}/api/webhooks`
  if (known?.url === url) return sandbox
  const service = serviceProgram(sandbox, dataDir, settings)
  const create = async () => {
    const wanted = ['--project', 'sandbox', '--url', url, '--types', types.join(), '--json']
    const { id, secret } = JSON.parse(await command(service, ['webhooks', 'create', ...wanted]))
    return { id, url, secret }
  }
  const isThere = async (/** @type {string} */ id) => {
    /** @type {{ id: string }[]} */
    const endpoints = JSON.parse(await command(service, ['webhooks', 'list', '--json']))
    return endpoints.some((endpoint) => endpoint.id === id)
  }
  /** @type {Sandbox} */
  let opened = sandbox
  await step('storefront is told of its orders', async () => {
    const isMoved = known !== undefined && (await isThere(known.id))
    if (isMoved) await command(service, ['webhooks', 'update', known.id, '--url', url])
    opened = { ...sandbox, webhook: isMoved ? { ...known, url } : await create() }
    saveSandbox(dataDir, opened)
  })
  return opened
}
