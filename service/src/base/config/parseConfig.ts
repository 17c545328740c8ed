import { createHash } from 'node:crypto'
import { nativeCurrencyOf } from 'kassa/engine'
import * as z from 'zod/mini'
import { isLoopback } from '../lib/isLoopback.js'
import { type Config, testRates } from './config.js'
import { Environment } from './environment.js'
import { readChains } from './readChains.js'
import { readSolanaKey } from './readSolana.js'
import { ConfigError, decimal, readSetting } from './settings.js'

export { ConfigError } from './settings.js'

const sandboxChains = 'base-sepolia,polygon-amoy,ethereum-sepolia'
/** The first key that every development node funds: public, and worthless elsewhere. */
const sandboxOperatorKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

const readAmounts = (variable: string, text: string, example: string): Readonly<Record<string, string>> => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new ConfigError(`${variable}: expected JSON such as ${example}`)
  }
  return readSetting(z.record(z.string(), decimal), variable, json)
}

type RateSettings = { text: string; url: string | undefined; maxAgeMs: number; isTestnet: boolean }

/** Reads the sources of rates. Main networks have no built-in rate: the operator chooses each of theirs. */
const readRates = (
  chains: Config['chains'],
  { text, url, maxAgeMs, isTestnet }: RateSettings,
): Config['rates'] => {
  const given = readAmounts('KASSA_RATES', text, '{"eth":"3000"}')
  const feeds = Object.entries(chains).flatMap(([chain, { rateFeeds = [] }]) =>
    rateFeeds.map((feed) => ({ ...feed, chain })),
  )
  for (const [at, { chain, currency }] of feeds.entries()) {
    const isSecond = feeds.findIndex((feed) => feed.currency === currency) !== at
    const other = isSecond ? 'another price feed' : given[currency] === undefined ? undefined : 'KASSA_RATES'
    if (other === undefined) continue
    const suffix = chain.toUpperCase().replaceAll('-', '_')
    throw new ConfigError(`KASSA_RATE_FEEDS_${suffix}: ${currency} already has its rate from ${other}`)
  }
  const isBuiltIn = isTestnet && url === undefined && feeds.length === 0
  return { table: { ...(isBuiltIn && testRates), ...given }, feeds, url, maxAgeMs }
}

const readCurrencies = (
  chains: Config['chains'],
  currencies: readonly string[] | undefined,
): Config['currencies'] => {
  const known = Object.entries(chains).flatMap(([name, { rpcUrl, tokens }]) => [
    nativeCurrencyOf(name),
    ...(rpcUrl === undefined ? ['usdc', 'usdxm', 'usdt'] : tokens.map(({ currency }) => currency)),
  ])
  const unknown = currencies?.find((currency) => !known.includes(currency))
  if (unknown === undefined) return currencies
  throw new ConfigError(`KASSA_CURRENCIES: no enabled chain has ${unknown}`)
}

const dayMs = 24 * 60 * 60_000

/** The environment variables, read by their schema. */
type Variables = z.infer<typeof Environment>

/** The smallest refund of a stablecoin that is sent while no rate is known. */
const defaultMinimums = { usdc: '1', usdxm: '1' }

const readMinimums = (text: string): Config['refunds']['minimums'] => ({
  ...defaultMinimums,
  ...readAmounts('KASSA_REFUND_MINIMUMS', text, '{"usdc":"1"}'),
})

/** Reads how orders are quoted, priced and delivered. */
const readSales = (env: Variables, chains: Config['chains'], isTestnet: boolean) => ({
  quoteTtlMs: env.KASSA_QUOTE_TTL_SECONDS * 1000,
  captureMs: env.KASSA_CAPTURE_HOURS * 3_600_000,
  reportedTtlMs: env.KASSA_REPORTED_TTL_SECONDS * 1000,
  deliversWhenFinal: env.KASSA_DELIVER_WHEN_FINAL,
  subscriptionDays: env.KASSA_SUBSCRIPTION_DAYS,
  rates: readRates(chains, {
    text: env.KASSA_RATES,
    url: env.KASSA_RATES_URL,
    maxAgeMs: env.KASSA_RATE_MAX_AGE_SECONDS * 1000,
    isTestnet,
  }),
  currencies: readCurrencies(chains, env.KASSA_CURRENCIES),
  salesTaxBasisPoints: env.KASSA_SALES_TAX_BASIS_POINTS,
  shippingUsd: env.KASSA_SHIPPING_USD,
})

/** Reads how much is done for one caller, and for all. */
const readLimits = (env: Variables) => ({
  limits: {
    writesPerMinute: env.KASSA_WRITES_PER_MINUTE,
    readsPerMinute: env.KASSA_READS_PER_MINUTE,
    clientWritesPerMinute: env.KASSA_CLIENT_WRITES_PER_MINUTE,
    clientReadsPerMinute: env.KASSA_CLIENT_READS_PER_MINUTE,
    secretWritesPerMinute: env.KASSA_SECRET_WRITES_PER_MINUTE,
    secretReadsPerMinute: env.KASSA_SECRET_READS_PER_MINUTE,
    addressSecretWritesPerMinute: env.KASSA_ADDRESS_SECRET_WRITES_PER_MINUTE,
    addressSecretReadsPerMinute: env.KASSA_ADDRESS_SECRET_READS_PER_MINUTE,
    filesPerMinute: env.KASSA_FILES_PER_MINUTE,
  },
  maxOrderStreams: env.KASSA_ORDER_STREAMS,
  refunds: {
    perPayerPerHour: env.KASSA_REFUNDS_PER_PAYER,
    perProjectPerHour: env.KASSA_REFUNDS_PER_PROJECT,
    minimums: readMinimums(env.KASSA_REFUND_MINIMUMS),
  },
  claims: {
    perNetworkPerHour: env.KASSA_CLAIMS_PER_NETWORK,
    perProjectPerHour: env.KASSA_CLAIMS_PER_PROJECT,
  },
  solanaOpeningsPerHour: {
    perProject: env.KASSA_SOLANA_OPENINGS_PER_PROJECT,
    perChain: env.KASSA_SOLANA_OPENINGS,
  },
})

/** Settings whose keys are read on use, so that a command that uses none needs none. */
export type Settings = Omit<Config, 'operatorKey' | 'solanaOperatorKey' | 'masterKey'> & {
  /** @throws {@link ConfigError} if it is missing. */
  readOperatorKey(): Config['operatorKey']
  /** @throws {@link ConfigError} if it is missing although Solana is enabled. */
  readSolanaOperatorKey(): Config['solanaOperatorKey']
  /** @throws {@link ConfigError} if it is missing. */
  readMasterKey(): Config['masterKey']
}

/** Returns the readers of the keys. Keys are optional in the sandbox only, while all its chains are local. */
const keyReaders = (
  env: Pick<Variables, 'KASSA_OPERATOR_KEY' | 'KASSA_SOLANA_OPERATOR_KEY' | 'KASSA_MASTER_KEY'>,
  { isLocal, hasSolana }: { isLocal: boolean; hasSolana: boolean },
): Pick<Settings, 'readOperatorKey' | 'readSolanaOperatorKey' | 'readMasterKey'> => ({
  readOperatorKey: () => {
    const operatorKey = env.KASSA_OPERATOR_KEY ?? (isLocal ? sandboxOperatorKey : undefined)
    if (!operatorKey) throw new ConfigError('KASSA_OPERATOR_KEY: required unless every chain is local')
    return `0x${operatorKey.slice(2)}`
  },
  readSolanaOperatorKey: () => {
    const variable = 'KASSA_SOLANA_OPERATOR_KEY'
    const text = env.KASSA_SOLANA_OPERATOR_KEY
    if (!hasSolana) return undefined
    if (text) return readSolanaKey(variable, text)
    if (!isLocal) throw new ConfigError(`${variable}: required unless every chain is local`)
    return Uint8Array.from(createHash('sha256').update('kassa sandbox on solana').digest())
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

/** Reads where clients reach the service: a host of its own, because the console and its cookies know no other place. */
const readPublicUrl = (text: string | undefined, port: number): string => {
  if (text === undefined) return `http://localhost:${port}`
  const { origin, pathname, search, hash, username, password } = new URL(text)
  if (/^\/*$/.test(pathname) && !search && !hash && !username && !password) return origin
  throw new ConfigError(
    'KASSA_PUBLIC_URL: expected a scheme and a host alone, such as https://pay.example. The service cannot be served below a path: give it a host of its own',
  )
}

/** Returns what an operator should know about the public URL, or `undefined` if it has no fault. */
export const publicUrlFault = ({
  environment,
  publicUrl,
}: Pick<Config, 'environment' | 'publicUrl'>): string | undefined => {
  const { protocol, hostname } = new URL(publicUrl)
  if (isLoopback(hostname))
    return environment === 'production'
      ? 'KASSA_PUBLIC_URL is absent or leads to this machine, and so do the links in e-mails and the pictures: set it to the https address that buyers reach'
      : undefined
  if (protocol === 'https:') return undefined
  return 'KASSA_PUBLIC_URL is not encrypted: browsers refuse passkeys there, and keys and sign-in links can be read on the way. Put a proxy for TLS in front of the service, and set KASSA_PUBLIC_URL to its https address'
}

/**
 * Reads the deployment's settings from the environment, as the table in `service/README.md` describes them.
 * Empty variables count as absent.
 *
 * @throws {@link ConfigError} naming the first variable that is missing or wrong.
 */
export const parseConfig = (environment: Readonly<Record<string, string | undefined>>): Config => {
  const { readOperatorKey, readSolanaOperatorKey, readMasterKey, ...settings } = parseSettings(environment)
  return {
    ...settings,
    operatorKey: readOperatorKey(),
    solanaOperatorKey: readSolanaOperatorKey(),
    masterKey: readMasterKey(),
  }
}

/**
 * Reads the same settings for commands that do not need all of the keys.
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
  const chains = readChains(given, names, { isTestnet, isSandbox })
  const isLocal = isSandbox && Object.values(chains).every(({ rpcUrl }) => rpcUrl === undefined)
  return {
    environment: env.KASSA_ENVIRONMENT,
    host: env.KASSA_HOST,
    port: env.KASSA_PORT,
    publicUrl: readPublicUrl(env.KASSA_PUBLIC_URL, env.KASSA_PORT),
    namespace: env.KASSA_NAMESPACE,
    metrics:
      env.KASSA_METRICS_PORT === undefined
        ? undefined
        : { host: env.KASSA_METRICS_HOST, port: env.KASSA_METRICS_PORT },
    databaseUrl: env.DATABASE_URL,
    databaseDirectUrl: env.DATABASE_DIRECT_URL,
    isMigrating: env.KASSA_MIGRATE ?? (isSandbox || env.DATABASE_URL === undefined),
    dataDir: env.KASSA_DATA_DIR,
    isSandbox,
    ipfsRpcUrl: env.KASSA_IPFS_RPC_URL,
    smtp: readSmtp(env.KASSA_SMTP_URL, env.KASSA_MAIL_FROM),
    chains,
    ...keyReaders(env, { isLocal, hasSolana: chains.solana !== undefined }),
    otherMasterKeys: env.KASSA_OTHER_MASTER_KEYS.map((key) => Uint8Array.from(Buffer.from(key, 'hex'))),
    // Users of wallets spend the operator's coins, so where these have value, the operator must choose it.
    sponsorsGas: env.KASSA_SPONSOR_GAS ?? isTestnet,
    gasless:
      (env.KASSA_GASLESS ?? isTestnet)
        ? {
            maxFeeBasisPoints: env.KASSA_GASLESS_FEE_BASIS_POINTS,
            perOrder: env.KASSA_GASLESS_PER_ORDER,
            perPayer: env.KASSA_GASLESS_PER_PAYER,
            perProject: env.KASSA_GASLESS_PER_PROJECT,
            perChain: env.KASSA_GASLESS_PER_CHAIN,
          }
        : undefined,
    sanctionedAddresses: new Set(
      // Only EVM addresses have several spellings.
      env.KASSA_SANCTIONED_ADDRESSES.map((each) => (each.startsWith('0x') ? each.toLowerCase() : each)),
    ),
    ...readSales(env, chains, isTestnet),
    ...readLimits(env),
    retention: {
      repliesMs: env.KASSA_REPLY_RETENTION_HOURS * 60 * 60_000,
      eventsMs: env.KASSA_EVENT_RETENTION_DAYS * dayMs,
      mailsMs: env.KASSA_MAIL_RETENTION_DAYS && env.KASSA_MAIL_RETENTION_DAYS * dayMs,
    },
    isBehindProxy: env.KASSA_BEHIND_PROXY,
    drainMs: env.KASSA_DRAIN_SECONDS * 1000,
    shutdownMs: env.KASSA_SHUTDOWN_SECONDS * 1000,
    logLevel: env.KASSA_LOG_LEVEL,
  }
}
