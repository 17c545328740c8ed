import { spawn } from 'node:child_process'
import { serviceProgram } from './programs.mjs'
import { openSandbox, saveSandbox, urlsOf } from './sandbox.mjs'
import { step } from './steps.mjs'

/** @typedef {import('./sandbox.mjs').Sandbox} Sandbox */

/** The events that the storefront stores. It does not need those of unpaid quotes. */
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
 * Has the service tell the storefront of its orders. It is registered once, and anew when the service knows it no
 * more; it follows when the storefront has moved to another port, and when it was given a new secret.
 * @param {string} dataDir
 * @param {Record<string, string>} settings the service's own, over those of the sandbox
 * @returns {Promise<Sandbox>} with the endpoint
 */
export const openWebhookEndpoint = async (dataDir, settings) => {
  const sandbox = openSandbox(dataDir)
  const { webhook: known } = sandbox
  const url = `${urlsOf(sandbox).storefrontUrl}/api/webhooks`
  const service = serviceProgram(sandbox, dataDir, settings)
  const create = async () => {
    const wanted = ['--project', 'sandbox', '--url', url, '--types', types.join(), '--json']
    const { id, secret } = JSON.parse(await command(service, ['webhooks', 'create', ...wanted]))
    return { id, url, secret }
  }
  const find = async (/** @type {string} */ id) => {
    /** @type {{ id: string, url: string }[]} */
    const endpoints = JSON.parse(await command(service, ['webhooks', 'list', '--json']))
    return endpoints.find((endpoint) => endpoint.id === id)
  }
  /** @param {{ id: string, url: string }} there */
  const follow = async ({ id, url: last }) => {
    if (last !== url) await command(service, ['webhooks', 'update', id, '--url', url])
    // The newest comes first, and every event is signed with it.
    const [{ secret }] = JSON.parse(await command(service, ['webhooks', 'show', id, '--json'])).secrets
    return { id, url, secret }
  }
  /** @type {Sandbox} */
  let opened = sandbox
  await step('webhooks to the storefront', async () => {
    const there = known && (await find(known.id))
    opened = { ...sandbox, webhook: there ? await follow(there) : await create() }
    saveSandbox(dataDir, opened)
  })
  return opened
}
