import { parseChainAddress } from 'kassa/engine'
import * as z from 'zod/mini'
import { choice, decimal, flag, hex32, httpUrl, integer, listOf } from './settings.js'

/** Whether a text is an address. An EVM address without its `0x` is none. */
const isAddress = (text: string): boolean =>
  /^0x[0-9a-fA-F]{40}$/.test(text) || parseChainAddress('solana', text) !== undefined

const postgresUrl = z.string().check(z.regex(/^postgres(ql)?:\/\//, 'expected a postgres:// URL'))

/**
 * The environment variables of a deployment, besides those of each chain. `service/README.md` explains them.
 */
export const Environment = z.object({
  KASSA_ENVIRONMENT: z._default(choice('staging', 'production'), 'staging'),
  KASSA_SANDBOX: z._default(flag, false),
  KASSA_SMTP_URL: z.optional(
    z.url({ protocol: /^smtps?$/, hostname: /./, error: 'expected an smtp or smtps URL' }),
  ),
  KASSA_MAIL_FROM: z.optional(z.email('expected an e-mail address')),
  KASSA_HOST: z._default(z.string(), '127.0.0.1'),
  KASSA_PORT: z._default(integer(1, 65_535), 4000),
  KASSA_PUBLIC_URL: z.optional(httpUrl),
  KASSA_METRICS_HOST: z._default(z.string(), '127.0.0.1'),
  KASSA_METRICS_PORT: z.optional(integer(1, 65_535)),
  KASSA_NAMESPACE: z._default(
    z.string().check(z.regex(/^[a-z][a-z0-9-]{0,31}$/, 'expected lower-case letters, digits and hyphens')),
    'kassa',
  ),
  DATABASE_URL: z.optional(postgresUrl),
  DATABASE_DIRECT_URL: z.optional(postgresUrl),
  KASSA_MIGRATE: z.optional(flag),
  KASSA_DATA_DIR: z._default(z.string(), '.kassa/service'),
  KASSA_IPFS_RPC_URL: z.optional(httpUrl),
  KASSA_CHAINS: z.optional(z.string()),
  KASSA_OPERATOR_KEY: z.optional(hex32('0x')),
  KASSA_SOLANA_OPERATOR_KEY: z.optional(z.string()),
  KASSA_SOLANA_PROGRAMS: z.optional(z.string()),
  KASSA_MASTER_KEY: z.optional(hex32('')),
  KASSA_OTHER_MASTER_KEYS: z._default(listOf(hex32('')), []),
  KASSA_SPONSOR_GAS: z.optional(flag),
  KASSA_GASLESS: z.optional(flag),
  KASSA_GASLESS_FEE_BASIS_POINTS: z._default(integer(1, 10_000), 1_000),
  KASSA_GASLESS_PER_ORDER: z._default(integer(0, 1e9), 3),
  KASSA_GASLESS_PER_PAYER: z._default(integer(0, 1e9), 20),
  KASSA_GASLESS_PER_PROJECT: z._default(integer(0, 1e9), 500),
  KASSA_GASLESS_PER_CHAIN: z._default(integer(0, 1e9), 2_000),
  KASSA_SANCTIONED_ADDRESSES: z._default(
    listOf(z.string().check(z.refine(isAddress, 'expected addresses of EVM chains or Solana'))),
    [],
  ),
  KASSA_QUOTE_TTL_SECONDS: z._default(integer(10, 86_400), 600),
  KASSA_CAPTURE_HOURS: z._default(integer(1, 2160), 168),
  KASSA_REPORTED_TTL_SECONDS: z._default(integer(10, 86_400), 600),
  KASSA_DELIVER_WHEN_FINAL: z._default(flag, false),
  KASSA_SUBSCRIPTION_DAYS: z._default(integer(1, 3650), 30),
  KASSA_CURRENCIES: z.optional(
    listOf(z.string().check(z.regex(/^[a-z0-9]{2,12}$/, 'expected currencies such as usdc,eth'))),
  ),
  KASSA_RATES: z._default(z.string(), '{}'),
  KASSA_RATES_URL: z.optional(httpUrl),
  KASSA_RATE_MAX_AGE_SECONDS: z._default(integer(1, 604_800), 3600),
  KASSA_SALES_TAX_BASIS_POINTS: z._default(integer(0, 10_000), 0),
  KASSA_SHIPPING_USD: z._default(decimal, '0'),
  KASSA_WRITES_PER_MINUTE: z._default(integer(1, 1e9), 120),
  KASSA_READS_PER_MINUTE: z._default(integer(1, 1e9), 360),
  KASSA_CLIENT_WRITES_PER_MINUTE: z._default(integer(1, 1e9), 120),
  KASSA_CLIENT_READS_PER_MINUTE: z._default(integer(1, 1e9), 360),
  KASSA_SECRET_WRITES_PER_MINUTE: z._default(integer(1, 1e9), 60),
  KASSA_SECRET_READS_PER_MINUTE: z._default(integer(1, 1e9), 120),
  KASSA_REFUNDS_PER_PAYER: z._default(integer(0, 1e9), 5),
  KASSA_REFUNDS_PER_PROJECT: z._default(integer(0, 1e9), 30),
  KASSA_CLAIMS_PER_NETWORK: z._default(integer(0, 1e9), 100),
  KASSA_CLAIMS_PER_PROJECT: z._default(integer(0, 1e9), 1_000),
  KASSA_SOLANA_OPENINGS: z._default(integer(0, 1e9), 500),
  KASSA_SOLANA_OPENINGS_PER_PROJECT: z._default(integer(0, 1e9), 200),
  KASSA_REFUND_MINIMUMS: z._default(z.string(), '{}'),
  KASSA_ADDRESS_SECRET_WRITES_PER_MINUTE: z._default(integer(1, 1e9), 600),
  KASSA_ADDRESS_SECRET_READS_PER_MINUTE: z._default(integer(1, 1e9), 3_000),
  KASSA_FILES_PER_MINUTE: z._default(integer(1, 1e9), 600),
  KASSA_REPLY_RETENTION_HOURS: z._default(integer(24, 8760), 24),
  KASSA_EVENT_RETENTION_DAYS: z._default(integer(1, 3650), 30),
  KASSA_MAIL_RETENTION_DAYS: z.optional(integer(1, 3650)),
  KASSA_ORDER_STREAMS: z._default(integer(0, 1e6), 10_000),
  KASSA_BEHIND_PROXY: z._default(flag, false),
  KASSA_DRAIN_SECONDS: z._default(integer(0, 600), 0),
  KASSA_SHUTDOWN_SECONDS: z._default(integer(1, 3600), 5),
  KASSA_LOG_LEVEL: z._default(choice('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'), 'info'),
})
