import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { root } from './paths.mjs'
import { urlsOf } from './sandbox.mjs'

/** npm's own variables are about npm, and none of a child's business. */
const ownEnvironment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')))

/**
 * The service, as a sandbox on its own database and chains.
 * @param {import('./sandbox.mjs').Sandbox} sandbox
 * @param {string} dataDir
 * @param {Record<string, string>} settings over those of the sandbox
 */
export const serviceProgram = (sandbox, dataDir, settings) => ({
  name: 'service',
  script: join(root, 'service/dist/bin.js'),
  cwd: root,
  log: join(dataDir, 'logs/service.log'),
  env: {
    ...ownEnvironment(),
    NODE_ENV: 'production',
    KASSA_SANDBOX: '1',
    KASSA_HOST: '127.0.0.1',
    KASSA_PORT: String(sandbox.ports.service),
    KASSA_PUBLIC_URL: urlsOf(sandbox).serviceUrl,
    KASSA_DATA_DIR: join(dataDir, 'service'),
    KASSA_CHAINS: 'base-sepolia,polygon-amoy,ethereum-sepolia,solana',
    KASSA_OPERATOR_KEY: sandbox.operatorKey,
    KASSA_SOLANA_OPERATOR_KEY: sandbox.solanaOperatorKey,
    KASSA_MASTER_KEY: sandbox.masterKey,
    KASSA_SERVER_KEY: sandbox.serverKey,
    KASSA_CLIENT_KEY: sandbox.clientKey,
    KASSA_ORIGINS: urlsOf(sandbox).storefrontUrl,
    ...settings,
  },
})

/** @param {import('./sandbox.mjs').Sandbox} sandbox whose operator's key signs credentials */
const issuerOf = ({ operatorKey }) => privateKeyToAccount(/** @type {`0x${string}`} */ (operatorKey)).address

/**
 * The example storefront, which learns where the service is when it starts.
 * @param {import('./sandbox.mjs').Sandbox} sandbox
 * @param {string} dataDir
 * @param {boolean} isDev
 */
export const storefrontProgram = (sandbox, dataDir, isDev) => ({
  name: 'storefront',
  script: join(root, 'node_modules/next/dist/bin/next'),
  args: [isDev ? 'dev' : 'start', '--hostname', '127.0.0.1', '--port', String(sandbox.ports.storefront)],
  cwd: join(root, 'examples/next'),
  log: join(dataDir, 'logs/storefront.log'),
  env: {
    ...ownEnvironment(),
    NODE_ENV: isDev ? 'development' : 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    KASSA_BASE_URL: `${urlsOf(sandbox).serviceUrl}/api`,
    KASSA_SERVER_KEY: sandbox.serverKey,
    KASSA_CREDENTIAL_ISSUER: issuerOf(sandbox),
    KASSA_STORE: join(dataDir, 'orders.json'),
    ...(sandbox.webhook && { KASSA_WEBHOOK_SECRET: sandbox.webhook.secret }),
  },
})
