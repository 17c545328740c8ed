import type { Config } from './config/config.js'
import type { Database } from './db/database.js'
import type { Notices } from './db/notices.js'
import type { ChainPort } from './ports/chain.js'
import type { CheckEndpointUrl, SafeFetch, SafePost } from './ports/guard.js'
import type { CredentialIssuer } from './ports/issuer.js'
import type { Jobs } from './ports/jobs.js'
import type { Mailer } from './ports/mail.js'
import type { OrderStreams } from './ports/orderStreams.js'
import type { RateSource } from './ports/rates.js'
import type { Storage } from './ports/storage.js'
import type { Vault } from './ports/vault.js'

/** The part of a pino logger that verbs and effects use. */
export type Log = {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** The chains that this deployment has enabled, by their names in the interface. */
export type ChainRegistry = { enabled: readonly string[]; get(chain: string): ChainPort | undefined }

/** Everything that a verb or an effect may use. Only `main.ts` chooses the adapters. */
export type Deps = {
  config: Config
  db: Database
  jobs: Jobs
  /** Tells the processes that share the database of changes. */
  notices: Notices
  /** The streams of orders that callers follow. */
  orderStreams: OrderStreams
  chains: ChainRegistry
  storage: Storage
  /** Fetches files from callers' URLs, from public addresses only. */
  safeFetch: SafeFetch
  /** Posts to webhook endpoints. */
  safePost: SafePost
  /** Checks the URLs of webhook endpoints. */
  checkEndpointUrl: CheckEndpointUrl
  mailer: Mailer
  rates: RateSource
  vault: Vault
  /** Signs credentials. */
  issuer: CredentialIssuer
  log: Log
  /** The clock, in epoch milliseconds. */
  now(): number
  /** Cryptographic randomness. */
  randomBytes(length: number): Uint8Array
}

/** What the verbs of collections and tokens use. The command line has it too, without the rest of a service. */
export type CollectionDeps = Pick<
  Deps,
  | 'chains'
  | 'config'
  | 'db'
  | 'jobs'
  | 'log'
  | 'notices'
  | 'now'
  | 'randomBytes'
  | 'safeFetch'
  | 'storage'
  | 'vault'
>
