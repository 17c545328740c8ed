/**
 * Prices of one whole unit of each currency in US dollars, as decimal strings. They are for test networks,
 * whose coins are worthless.
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
  sol: '150',
  usdc: '1',
  usdt: '1',
  usdxm: '1',
  vic: '0.3',
  xai: '0.1',
}

/** A price feed on a chain: the contract that returns a currency's rate, and how old its rate may be. */
export type RateFeed = { currency: string; address: string; maxAgeMs?: number }

/** An enabled chain of this deployment. */
export type ChainConfig = {
  rpcUrl: string | undefined
  /** The URL of a second node, which is asked for balances and price feeds while the first one fails. */
  fallbackUrl?: string | undefined
  /** The WebSocket URL at which the node announces new blocks. Without it, they are polled for. */
  headsUrl?: string | undefined
  /**
   * How many blocks, including its own, make a write final. The same applies to payments if the node names no
   * final block.
   */
  confirmations: number
  /** The chain's own block tag that makes a payment final. Without it, confirmations are counted. */
  finality?: 'finalized' | 'safe' | undefined
  /** Whether payments wait while the node names no such block; without it, confirmations are counted meanwhile. */
  isFinalityRequired?: boolean | undefined
  /**
   * The highest price to offer for a unit of gas, in gwei. Without it, the service offers what the chain
   * asks.
   */
  maxFeeGwei?: number | undefined
  /** Where links to transactions lead, without a trailing slash; without it, to the chain's best-known explorer. */
  explorerUrl?: string | undefined
  /** The page of a simulator, with the places `{from}`, `{to}`, `{value}` and `{data}` of the call to replay. */
  simulationUrl?: string | undefined
  /** Price feeds with Chainlink's interface. */
  rateFeeds?: readonly RateFeed[]
  /**
   * Contracts whose tokens are listed in wallets in addition to those of collections, and the blocks from
   * which they are read.
   */
  nftContracts: readonly { address: string; fromBlock: bigint }[]
  /**
   * Tokens that balances and payments know in addition to the native currency. A local chain has its own test
   * tokens.
   */
  tokens: readonly { currency: string; address: string; decimals: number }[]
  /** The programs of compressed tokens, on Solana. */
  programs?: { bubblegum: string; compression: string; noop: string } | undefined
}

/** The configuration of this deployment, read once at the start from the environment: see `parseConfig`. */
export type Config = {
  environment: 'staging' | 'production'
  host: string
  port: number
  /** The URL at which clients reach the service, without a trailing slash and without `/api`. */
  publicUrl: string
  /**
   * Where the operator reads metrics and the details of readiness, on a listener apart from the clients'.
   * Absent means nowhere.
   */
  metrics: { host: string; port: number } | undefined
  /** The service's own name in collection locators. */
  namespace: string
  /** PostgreSQL; absent means the embedded database under `dataDir`. */
  databaseUrl: string | undefined
  /** The server itself, where `databaseUrl` is that of a pool such as PgBouncer. */
  databaseDirectUrl?: string | undefined
  /** Whether the start migrates the database. Otherwise the operator must. */
  isMigrating: boolean
  dataDir: string
  /** Whether this is the local sandbox: seeded, with local chains and a faucet. */
  isSandbox: boolean
  /**
   * The mail server, whose URL may contain credentials, and the sender's address. Absent means that no e-mail
   * is sent.
   */
  smtp: { url: string; from: string } | undefined
  /**
   * RPC of the Kubo node that pins stored files, which may contain credentials. Absent means that none is
   * pinned.
   */
  ipfsRpcUrl: string | undefined
  /** Chain name to RPC URL; an absent URL means a local node, which only the sandbox may have. */
  chains: Readonly<Record<string, ChainConfig>>
  /** Private key that deploys, mints and refunds, `0x` and 64 hex digits. */
  operatorKey: `0x${string}`
  /** The same on Solana: 32 bytes of an ed25519 key. Absent means that Solana is not enabled. */
  solanaOperatorKey: Uint8Array | undefined
  /** 32 bytes, the master key that custodial keys are encrypted under. */
  masterKey: Uint8Array
  /**
   * Other master keys that stored secrets may still, or already, be encrypted under: see `master-key rotate`.
   */
  otherMasterKeys: readonly Uint8Array[]
  /** Whether the operator's key pays for the gas of wallets' transactions. */
  sponsorsGas: boolean
  /** What the operator's key spends to send payments that buyers sign. Absent where it sends none. */
  gasless:
    | {
        /** The most of a payment that its gas may be worth, in hundredths of a percent. */
        maxFeeBasisPoints: number
        /** How many payments it sends in a day at most: of an order, a payer, a project and a chain. */
        perOrder: number
        perPayer: number
        perProject: number
        perChain: number
      }
    | undefined
  /** Addresses that nothing is sent from or to: those of EVM chains in lower case. */
  sanctionedAddresses: ReadonlySet<string>
  quoteTtlMs: number
  /** How long the merchant may capture a payment that is not captured automatically. */
  captureMs: number
  /** How long a reported transaction may be unknown to every node before the order shows it as failed. */
  reportedTtlMs: number
  /** Whether an order shows goods as delivered only once the block of their mint is final. */
  deliversWhenFinal: boolean
  /** How long a subscription runs from its mint. */
  subscriptionDays: number
  /** Where exchange rates come from. */
  rates: {
    /** US dollars for one whole unit of each currency, as decimal strings. */
    table: Readonly<Record<string, string>>
    feeds: readonly (RateFeed & { chain: string })[]
    /** A URL that returns rates as JSON. It may contain credentials. */
    url: string | undefined
    /** How old a rate may be, unless its feed has its own limit. */
    maxAgeMs: number
  }
  /** The currencies that orders may be paid in. Absent means each chain's native one, usdc and usdxm. */
  currencies: readonly string[] | undefined
  /** Sales tax in hundredths of a percent of the unit charge. */
  salesTaxBasisPoints: number
  /** Shipping of one line item with a physical address, in US dollars. */
  shippingUsd: string
  /**
   * Requests per minute: of a project by its server keys, and by its client keys; of one order by its client
   * secret, and of one network by client secrets; and files that one network fetches.
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
  /** How many streams of orders one process keeps open. */
  maxOrderStreams: number
  /** The limits over which the service holds refunds instead of sending them automatically. */
  refunds: {
    perPayerPerHour: number
    perProjectPerHour: number
    /** The least amount of a currency to send while no rate converts the fee to it, as decimal strings. */
    minimums: Readonly<Record<string, string>>
  }
  /** How many tokens that cost nothing are minted in an hour for orders that client keys create. */
  claims: { perNetworkPerHour: number; perProjectPerHour: number }
  /** How many token accounts the operator opens for orders on Solana in an hour. Each locks its rent for about an hour. */
  solanaOpeningsPerHour: { perProject: number; perChain: number }
  /** How long the service keeps what it no longer needs. Orders, payments and tokens stay. */
  retention: {
    /** Answers to requests with an idempotency key, from the request on. */
    repliesMs: number
    /** Webhook events and their deliveries, from the end of the last delivery on. */
    eventsMs: number
    /** E-mails, from when they became due. Absent means that they stay. */
    mailsMs: number | undefined
  }
  /** Whether a caller's address is read from `X-Forwarded-For`, because a proxy stands in front. */
  isBehindProxy: boolean
  /**
   * How long requests are still accepted after the signal to stop, so that a load balancer notices it first.
   */
  drainMs: number
  /** How long requests and jobs may then continue. */
  shutdownMs: number
  logLevel: string
}
