/**
 * Prices of one whole unit of each currency in US dollars, as decimal strings: for test networks, whose coins are worth
 * nothing.
 */
export const testRates: Readonly<Record<string, string>> = {
  avax: '30',
  bnb: '600',
  chz: '0.07',
  eth: '3000',
  ip: '5',
  pol: '0.5',
  sei: '0.3',
  sfuel: '0.000001',
  usdc: '1',
  usdxm: '1',
  vic: '0.3',
  xai: '0.1',
}

/** A price feed on a chain: the contract that tells a currency's rate, and how old its rate may be. */
export type RateFeed = { currency: string; address: string; maxAgeMs?: number }

/** A chain that this deployment has enabled. */
export type ChainConfig = {
  rpcUrl: string | undefined
  /** How many blocks make a write final, its own included; and a payment where the node names no final block. */
  confirmations: number
  /** Which block of the chain's own makes a payment final; without it, confirmations are counted. */
  finality?: 'finalized' | 'safe' | undefined
  /** The most that is offered for a unit of gas, in gwei; without it, whatever the chain asks for. */
  maxFeeGwei?: number | undefined
  /** Where links to transactions lead, without a trailing slash; without it, to the chain's best-known explorer. */
  explorerUrl?: string | undefined
  /** Price feeds with Chainlink's interface. */
  rateFeeds?: readonly RateFeed[]
  /** Contracts of tokens that wallets may hold beside those of collections, and from which block on. */
  nftContracts: readonly { address: string; fromBlock: bigint }[]
  /** Tokens known beside the native currency, for balances and payments; a local chain has test tokens of its own. */
  tokens: readonly { currency: string; address: string; decimals: number }[]
}

/** How this deployment is set up. Read once, at the start, from the environment: see `parseConfig`. */
export type Config = {
  environment: 'staging' | 'production'
  host: string
  port: number
  /** Where clients reach the service, without a trailing slash and without `/api`. */
  publicUrl: string
  /** Where metrics and the details of readiness are told, apart from what clients reach; absent means nowhere. */
  metrics: { host: string; port: number } | undefined
  /** The service's own name in collection locators. */
  namespace: string
  /** PostgreSQL; absent means the embedded database under `dataDir`. */
  databaseUrl: string | undefined
  /** Whether the start brings the database up to date, rather than asking the operator to. */
  isMigrating: boolean
  dataDir: string
  /** Whether this is the local sandbox: seeded, with local chains and a faucet. */
  isSandbox: boolean
  /** The mail server, which may name credentials, and the address that mails come from; absent means none is sent. */
  smtp: { url: string; from: string } | undefined
  /** RPC of the Kubo node that pins stored files, which may name credentials; absent means none is pinned. */
  ipfsRpcUrl: string | undefined
  /** Chain name to RPC URL; an absent URL means a local node, which only the sandbox may have. */
  chains: Readonly<Record<string, ChainConfig>>
  /** Private key that deploys, mints and refunds, `0x` and 64 hex digits. */
  operatorKey: `0x${string}`
  /** 32 bytes under which custodial keys are encrypted. */
  masterKey: Uint8Array
  /** Other master keys that what is kept may still, or already, be encrypted under: see `master-key rotate`. */
  otherMasterKeys: readonly Uint8Array[]
  /** Whether the operator's key pays for the gas of wallets' transactions. */
  sponsorsGas: boolean
  /** Addresses that nothing is sent from or to, in lower case. */
  sanctionedAddresses: ReadonlySet<string>
  quoteTtlMs: number
  /** How long a reported transaction may be unknown to every node before the order says so. */
  reportedTtlMs: number
  /** How long a subscription runs from its mint on. */
  subscriptionDays: number
  /** Where exchange rates come from. */
  rates: {
    /** US dollars for one whole unit of each currency, as decimal strings. */
    table: Readonly<Record<string, string>>
    feeds: readonly (RateFeed & { chain: string })[]
    /** Answers with rates as JSON; it may name credentials. */
    url: string | undefined
    /** How old a rate may be, unless its feed has a limit of its own. */
    maxAgeMs: number
  }
  /** The currencies that orders may be paid in; absent means each chain's native one, usdc and usdxm. */
  currencies: readonly string[] | undefined
  /** Sales tax in hundredths of a percent of the unit charge. */
  salesTaxBasisPoints: number
  /** Shipping of one line item with a physical address, in US dollars. */
  shippingUsd: string
  /**
   * Requests a minute: of a project by its server keys, and by its client keys; of one order by its client secret, and
   * of one network by client secrets; and files that one network fetches.
   */
  limits: {
    writesPerMinute: number
    readsPerMinute: number
    clientWritesPerMinute: number
    clientReadsPerMinute: number
    secretWritesPerMinute: number
    secretReadsPerMinute: number
    addressSecretWritesPerMinute: number
    addressSecretReadsPerMinute: number
    filesPerMinute: number
  }
  /** What holds a refund back that the service would send on its own. */
  refunds: {
    perPayerPerHour: number
    perProjectPerHour: number
    /** The least of a currency that is sent while no rate tells what the fee is in it, as decimal strings. */
    minimums: Readonly<Record<string, string>>
  }
  /** Whether the address of a caller is taken from `X-Forwarded-For`, because a proxy stands in front. */
  isBehindProxy: boolean
  /** How long requests are still taken after the signal to stop, so that a load balancer sees it first. */
  drainMs: number
  /** How long requests and jobs may then go on. */
  shutdownMs: number
  logLevel: string
}
