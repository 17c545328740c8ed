import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { privateDir } from './paths.mjs'

/**
 * The storefront's webhook address, and the secret by which it verifies the service.
 * @typedef {{ id: string, url: string, secret: string }} WebhookEndpoint
 */

/**
 * The secrets of one local sandbox, and the ports it was last seen on; the endpoint once it is registered.
 * @typedef {{
 *   serverKey: string, clientKey: string, operatorKey: string, solanaOperatorKey: string, masterKey: string,
 *   ports: { service: number, storefront: number }, webhook?: WebhookEndpoint,
 * }} Sandbox
 */

/** @returns {Sandbox} */
const createSandbox = () => ({
  serverKey: `sk_staging_${randomBytes(32).toString('base64url')}`,
  clientKey: `ck_staging_${randomBytes(32).toString('base64url')}`,
  operatorKey: `0x${randomBytes(32).toString('hex')}`,
  solanaOperatorKey: randomBytes(32).toString('hex'),
  masterKey: randomBytes(32).toString('hex'),
  ports: { service: 4000, storefront: 3000 },
})

/** @param {string} dataDir */
const pathOf = (dataDir) => join(privateDir(dataDir), 'sandbox.json')

/**
 * Keeps a sandbox, readable by its owner alone; a reader never sees half of it.
 * @param {string} dataDir
 * @param {Sandbox} sandbox
 */
export const saveSandbox = (dataDir, sandbox) => {
  const draft = `${pathOf(dataDir)}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(sandbox, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, pathOf(dataDir))
}

/**
 * The sandbox of a data folder, made with fresh random secrets the first time. One of an earlier version gets
 * the secrets that it lacks.
 * @param {string} dataDir
 * @returns {Sandbox}
 */
export const openSandbox = (dataDir) => {
  const path = pathOf(dataDir)
  const known = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  if (known.solanaOperatorKey) return known
  const sandbox = { ...createSandbox(), ...known }
  saveSandbox(dataDir, sandbox)
  return sandbox
}

/** @param {Sandbox} sandbox */
export const urlsOf = ({ ports }) => ({
  serviceUrl: `http://localhost:${ports.service}`,
  storefrontUrl: `http://localhost:${ports.storefront}`,
})
