import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { type Config, defaultRates } from './config.js'
import { readChains } from './readChains.js'
import { ConfigError, choice, decimal, flag, hex32, httpUrl, integer, readSetting } from './settings.js'

export { ConfigError } from './settings.js'

const Environment = z.object({
  KASSA_ENVIRONMENT: z._default(choice('staging', 'production'), 'staging'),
  KASSA_SANDBOX: z._default(flag, false),
  KASSA_SMTP_URL: z.optional(
    z.url({ protocol: /^smtps?$/, hostname: /./, error: 'expected an smtp or smtps URL' }),
  ),
  KASSA_MAIL_FROM: z.optional(z.email('expected an e-mail address')),
  KASSA_HOST: z._default(z.string(), '127.0.0.1'),
  KASSA_PORT: z._default(integer(1, 65_535), 4000),
  KASSA_PUBLIC_URL: z.optional(httpUrl),
  KASSA_NAMESPACE: z._default(
    z.string().check(z.regex(/^[a-z][a-z0-9-]{0,31}$/, 'expected lower-case letters, digits and hyphens')),
    'kassa',
  ),
  DATABASE_URL: z.optional(z.string().check(z.regex(/^postgres(ql)?:\/\//, 'expected a postgres:// URL'))),
  KASSA_DATA_DIR: z._default(z.string(), '.kassa/service'),
  KASSA_IPFS_RPC_URL: z.optional(httpUrl),
  KASSA_CHAINS: z.optional(z.string()),
  KASSA_OPERATOR_KEY: z.optional(hex32('0x')),
  KASSA_MASTER_KEY: z.optional(hex32('')),
  KASSA_QUOTE_TTL_SECONDS: z._default(integer(10, 86_400), 600),
  KASSA_SUBSCRIPTION_DAYS: z._default(integer(1, 3650), 30),
  KASSA_RATES: z._default(z.string(), '{}'),
  KASSA_SALES_TAX_BASIS_POINTS: z._default(integer(0, 10_000), 0),
  KASSA_SHIPPING_USD: z._default(decimal, '0'),
  KASSA_WRITES_PER_MINUTE: z._default(integer(1, 1e9), 120),
  KASSA_READS_PER_MINUTE: z._default(integer(1, 1e9), 360),
  KASSA_SECRET_WRITES_PER_MINUTE: z._default(integer(1, 1e9), 60),
  KASSA_SECRET_READS_PER_MINUTE: z._default(integer(1, 1e9), 120),
  KASSA_BEHIND_PROXY: z._default(flag, false),
  KASSA_LOG_LEVEL: z._default(choice('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'), 'info'),
})

const sandboxChains = 'base-sepolia,polygon-amoy,ethereum-sepolia'
/** The first key that every development node funds: known to all, worth nothing anywhere else. */
const sandboxOperatorKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

const readRates = (text: string): Config['rates'] => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new ConfigError('KASSA_RATES: expected JSON such as {"eth":"3000"}')
  }
  return { ...defaultRates, ...readSetting(z.record(z.string(), decimal), 'KASSA_RATES', json) }
}

/** Settings whose keys are read when they are used: what uses none needs none. */
export type Settings = Omit<Config, 'operatorKey' | 'masterKey'> & {
  /** @throws {@link ConfigError} when it is missing. */
  readOperatorKey(): Config['operatorKey']
  /** @throws {@link ConfigError} when it is missing. */
  readMasterKey(): Config['masterKey']
}

/** Keys may be left out in the sandbox only, and only while every chain in it is a local one. */
const keyReaders = (
  env: { KASSA_OPERATOR_KEY?: string | undefined; KASSA_MASTER_KEY?: string | undefined },
  isLocal: boolean,
): Pick<Settings, 'readOperatorKey' | 'readMasterKey'> => ({
  readOperatorKey: () => {
    const operatorKey = env.KASSA_OPERATOR_KEY ?? (isLocal ? sandboxOperatorKey : undefined)
    if (!operatorKey) throw new ConfigError('KASSA_OPERATOR_KEY: required unless every chain is local')
    return `0x${operatorKey.slice(2)}`
  },
  readMasterKey: () => {
    const local = isLocal ? createHash('sha256').update('kassa sandbox').digest('hex') : undefined
    const masterKey = env.KASSA_MASTER_KEY ?? local
    if (!masterKey) throw new ConfigError('KASSA_MASTER_KEY: required unless every chain is local')
    return Uint8Array.from(Buffer.from(masterKey, 'hex'))
  },
})

const readSmtp = (url: string | undefined, from: string | undefined): Config['smtp'] => {
  if (url && !from) throw new ConfigError('KASSA_MAIL_FROM: required with KASSA_SMTP_URL')
  return url && from ? { url, from } : undefined
}

/**
 * Reads the deployment's settings from the environment. Empty variables count as absent.
 *
 * | variable | meaning | default |
 * |---|---|---|
 * | `KASSA_ENVIRONMENT` | `staging` (test networks) or `production` (main networks) | `staging` |
 * | `KASSA_SANDBOX` | `1`: seeded, with local chains and a faucet; staging only | `0` |
 * | `KASSA_HOST`, `KASSA_PORT` | where to listen | `127.0.0.1`, `4000` |
 * | `KASSA_PUBLIC_URL` | where clients reach the service, without `/api` | host and port |
 * | `KASSA_NAMESPACE` | the service's name in collection locators | `kassa` |
 * | `DATABASE_URL` | PostgreSQL; absent means the embedded database | |
 * | `KASSA_DATA_DIR` | folder of the embedded database and the local chains | `.kassa/service` |
 * | `KASSA_CHAINS` | enabled chains, separated by commas | sandbox: three test chains |
 * | `KASSA_RPC_<CHAIN>` | RPC URL, such as `KASSA_RPC_BASE_SEPOLIA`; absent means a local node | |
 * | `KASSA_TOKENS_<CHAIN>` | tokens taken in payment, such as `usdc:0x…:6`, separated by commas | |
 * | `KASSA_CONFIRMATIONS_<CHAIN>` | blocks that make a payment final | `1` local, `5` else |
 * | `KASSA_MAX_FEE_GWEI_<CHAIN>` | the most that is offered for a unit of gas | none on test networks, `5000` where gas is paid in eth, `20000` else |
 * | `KASSA_OPERATOR_KEY` | private key that deploys, mints and refunds | sandbox: a known test key |
 * | `KASSA_MASTER_KEY` | 64 hex digits under which custodial keys are encrypted | sandbox: fixed |
 * | `KASSA_QUOTE_TTL_SECONDS` | how long a quote holds | `600` |
 * | `KASSA_SUBSCRIPTION_DAYS` | how long a subscription runs from its mint on | `30` |
 * | `KASSA_RATES` | JSON of US dollars per currency, over the built-in table | `{}` |
 * | `KASSA_SALES_TAX_BASIS_POINTS`, `KASSA_SHIPPING_USD` | charges | `0`, `0` |
 * | `KASSA_WRITES_PER_MINUTE`, `KASSA_READS_PER_MINUTE` | limits of a project; one address has a quarter | `120`, `360` |
 * | `KASSA_SECRET_WRITES_PER_MINUTE` | writes of one order by its client secret | `60` |
 * | `KASSA_SECRET_READS_PER_MINUTE` | reads of one order by its client secret | `120` |
 * | `KASSA_BEHIND_PROXY` | `1`: trust the last `X-Forwarded-For` address | `0` |
 * | `KASSA_SMTP_URL` | mail server, such as `smtps://user:password@mail.example`; absent means no e-mail is sent | |
 * | `KASSA_MAIL_FROM` | the address that e-mails come from; required with `KASSA_SMTP_URL` | |
 * | `KASSA_IPFS_RPC_URL` | RPC of a Kubo node that pins stored files, such as `http://user:password@ipfs:5001` | |
 * | `KASSA_LOG_LEVEL` | a pino level | `info` |
 *
 * @throws {@link ConfigError} naming the first variable that is missing or wrong.
 */
export const parseConfig = (environment: Readonly<Record<string, string | undefined>>): Config => {
  const { readOperatorKey, readMasterKey, ...settings } = parseSettings(environment)
  return { ...settings, operatorKey: readOperatorKey(), masterKey: readMasterKey() }
}

/**
 * Reads the same settings for what does not need all of the keys.
 *
 * @throws {@link ConfigError} naming the first variable that is wrong.
 */
export const parseSettings = (environment: Readonly<Record<string, string | undefined>>): Settings => {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value))
  const env = readSetting(Environment, '', given)
  const isSandbox = env.KASSA_SANDBOX
  const isTestnet = env.KASSA_ENVIRONMENT === 'staging'
  if (isSandbox && !isTestnet) throw new ConfigError('KASSA_SANDBOX: not allowed in production')
  const names = env.KASSA_CHAINS ?? (isSandbox ? sandboxChains : '')
  const chains = readChains(given, names, isTestnet, isSandbox)
  const isLocal = isSandbox && Object.values(chains).every(({ rpcUrl }) => rpcUrl === undefined)
  return {
    environment: env.KASSA_ENVIRONMENT,
    host: env.KASSA_HOST,
    port: env.KASSA_PORT,
    publicUrl: (env.KASSA_PUBLIC_URL ?? `http://localhost:${env.KASSA_PORT}`).replace(/\/+$/, ''),
    namespace: env.KASSA_NAMESPACE,
    databaseUrl: env.DATABASE_URL,
    dataDir: env.KASSA_DATA_DIR,
    isSandbox,
    ipfsRpcUrl: env.KASSA_IPFS_RPC_URL,
    smtp: readSmtp(env.KASSA_SMTP_URL, env.KASSA_MAIL_FROM),
    chains,
    ...keyReaders(env, isLocal),
    quoteTtlMs: env.KASSA_QUOTE_TTL_SECONDS * 1000,
    subscriptionDays: env.KASSA_SUBSCRIPTION_DAYS,
    rates: readRates(env.KASSA_RATES),
    salesTaxBasisPoints: env.KASSA_SALES_TAX_BASIS_POINTS,
    shippingUsd: env.KASSA_SHIPPING_USD,
    limits: {
      writesPerMinute: env.KASSA_WRITES_PER_MINUTE,
      readsPerMinute: env.KASSA_READS_PER_MINUTE,
      secretWritesPerMinute: env.KASSA_SECRET_WRITES_PER_MINUTE,
      secretReadsPerMinute: env.KASSA_SECRET_READS_PER_MINUTE,
    },
    isBehindProxy: env.KASSA_BEHIND_PROXY,
    logLevel: env.KASSA_LOG_LEVEL,
  }
}
