/**
 * What the rest of the service asks of a chain. One adapter folder implements it per chain family; only code
 * in `chains/` knows how a chain works.
 */
import type { ChainFamily, PaymentEstimate } from 'kassa/engine'
import type { PreparedAuthorization } from 'kassa/schema'
import type { AuthorizationPort } from './authorizations.js'
import type {
  CollectionRef,
  CollectionTerms,
  MintInput,
  MintResult,
  TokenMint,
  UpdateCollectionInput,
  UpdateTokenInput,
} from './collections.js'
import type { ChainCurrency } from './currency.js'
import type { RestorePort } from './restore.js'
import type { WalletPort } from './wallet.js'
import type { PayOutResult, WriteOptions, WriteResult } from './write.js'

/** A block, by number and hash. The hash distinguishes a reorganised block from the one that replaced it. */
export type BlockRef = { number: bigint; hash: string; timestampMs: number }

/** What an operator wants to know of a chain: its node, and the account that pays for the service's transactions. */
export type ChainFacts = {
  /** The chain that the node serves, as a CAIP-2 id. */
  caip2: string
  head: BlockRef
  /** How long the node took for one answer. */
  latencyMs: number
  /** How far back the node has blocks and logs, up to 30 days. */
  historyMs: number
  operator: {
    address: string
    /** Its balance. @units base units of the native currency */
    units: bigint
    /** What one sale costs now, with a margin. @units base units of the native currency */
    saleUnits: bigint
    /** What it must hold so that missing contracts can be deployed; 0 if none is missing. @units as above */
    setUpUnits: bigint
  }
}

/** The payment that the buyer's wallet will be asked to sign. */
export type PreparePaymentInput = {
  orderId: string
  /** The project of the order, which limits what the operator pays in advance for its orders. */
  projectId?: string | undefined
  /** The network of the buyer who asks. It has a part of what the project's buyers have. */
  network?: string | undefined
  payer: string
  currency: string
  /** The quoted total in base units of `currency`. */
  units: bigint
  /** Whether the payer needs no funds for gas, regardless of the code at its address. */
  isGasPaidByOthers?: boolean
  /** Whether the operator may send the payment for a payer who signs an authorization. */
  isSponsored?: boolean
  /** After this time a native payment reverts, so that it cannot be stranded. */
  deadlineMs: number
}

/** A payer, and the currency in which an order is to be paid. */
export type Payer = { payer: string; currency: string }

/** What a payer holds. @units base units of each currency */
export type PayerHoldings = { native: bigint; units: bigint }

/** What the payer may sign so that the operator sends the payment. */
export type SponsoredPayment = {
  authorization: PreparedAuthorization
  /** About what sending it costs. @units base units of the native currency */
  fee: bigint
}

/** An unsigned payment, or which funds the payer lacks. */
export type PreparedPayment = {
  /** Absent unless the operator may send the payment, and the token and the payer can have it sent. */
  sponsored?: SponsoredPayment
} & (
  | { status: 'ready'; serializedTransaction: string }
  | { status: 'insufficient-funds' }
  | { status: 'insufficient-funds-for-gas' }
)

/** Payments of one order, in several currencies, of which one will be made. */
export type EstimatePaymentsInput = Pick<
  PreparePaymentInput,
  'orderId' | 'isGasPaidByOthers' | 'deadlineMs'
> & {
  /** Without a payer, only the network fees are estimated. */
  payer: string | undefined
  payments: readonly Pick<PreparePaymentInput, 'currency' | 'units'>[]
}

/**
 * A payment as its log on chain shows it. For a token that the deployment does not accept, the token's
 * address is the currency, and only that token's contract claims that a transfer happened.
 */
export type SeenPayment = {
  txId: string
  logIndex: number
  block: BlockRef
  /** The account that paid. On Solana, the owner of the account that lost the most. */
  payer: string
  /** Who signed, if the payer need not have: a program may pay for a signer. */
  signers?: readonly string[]
  currency: string
  units: bigint
  /** The order's deposit address, or its reference at the router: see {@link ChainPort.paymentTarget}. */
  target: string
}

/** The amount of a refund and its recipient. */
export type RefundInput = {
  orderId: string
  currency: string
  units: bigint
  /** The payer, taken from the payment's own log, or the address that was named. */
  recipient: string
  /** Whether the treasury pays, because the proceeds of the order were swept. */
  isFromTreasury?: boolean
  /**
   * What is taken off if an account has to be opened for the recipient: see {@link ChainPort.estimateRefundRent}. Without
   * it, none is opened.
   *
   * @units base units of `currency`
   */
  feeUnits?: bigint
}

/** A credit to send to another address than the one that rejected it. */
export type CreditInput = {
  /** The key of the refund or sweep that was rejected. */
  payOutKey: string
  recipient: string
}

/** The tokens of orders of which to read what arrived. */
export type ArrivedInput = {
  /** A block that the node must have. */
  since: bigint
  orders: readonly {
    orderId: string
    currency: string
    /** The keys of what may have been paid out of it. */
    payOutKeys: readonly string[]
  }[]
}

/** The orders whose funds to report, and the keys of their possible payouts. */
export type StatementInput = readonly {
  orderId: string
  payOutKeys: readonly string[]
  /** Addresses of tokens that the deployment does not accept and that reportedly arrived for the order. */
  foreignTokens?: readonly string[]
}[]

/**
 * What the chain shows of orders' funds, independently of the service's records. Zero amounts are left out.
 */
export type Statement = {
  /**
   * The balance at each order's deposit address and reference. An entry without `orderId` is negative: the
   * amount that is missing.
   */
  held: readonly { orderId?: string; currency: string; units: bigint }[]
  /**
   * What arrived outside every payment method: coins at a deposit address and foreign tokens by their
   * address. An entry without `orderId` is coins that no requested order's reference accounts for.
   */
  unattributedFunds: readonly { orderId?: string; currency: string; units: bigint }[]
  /** What was paid out, by the key of the {@link ChainPort.refund} or {@link ChainPort.sweep}. */
  paidOut: readonly { key: string; currency: string; units: bigint }[]
  /** The part of `paidOut` that its payee could not receive and has not claimed yet. */
  credited: readonly { key: string; currency: string; units: bigint }[]
}

/**
 * The port of a chain. Every write takes a `key`. Calling again with the same key, from any process, at any
 * time, waits for the same transaction instead of sending another: its signed bytes and nonce are stored
 * before it is broadcast. A failed write is sent again under the next `attemptKey`. Of all attempts at
 * one write, the chain lets one succeed.
 *
 * @throws {ServiceError} `chain-unavailable` if the node cannot be reached; the caller tries again later.
 */
export type ChainPort = {
  readonly chain: string
  readonly family: ChainFamily
  /** The number of an EVM chain (EIP-155); 0 in other families. */
  readonly chainId: number
  /** Whether it is the service's own development chain, which may be reset and then lacks its old blocks. */
  readonly isLocal: boolean
  /** Whether its node runs. A local chain starts on first use, and nothing can have been paid there before. */
  isStarted(): boolean
  /**
   * Whether {@link ChainPort.findPayments} costs the same however many blocks it covers, so that one search catches up.
   */
  readonly searchesAnyRange: boolean
  /**
   * How many blocks, including its own, make a write final. The same applies to payments if the chain names
   * no final block.
   */
  readonly confirmations: number
  readonly currencies: readonly ChainCurrency[]
  readonly wallets: WalletPort
  /** Settles payments that buyers sign and the operator sends. Absent where tokens take no signatures. */
  readonly authorizations?: AuthorizationPort
  /** What the operator has written that the database does not know. */
  readonly restore: RestorePort
  /** Whether the chain has the program of compressed tokens. */
  readonly compresses?: boolean
  /**
   * Starts what the chain needs: the node of a local chain, and the contracts of any chain. Idempotent, and
   * cheap once done.
   */
  ready(): Promise<void>
  /**
   * Compares the configured tokens with their contracts, without changing anything.
   *
   * @throws {ConfigError} naming the chain, the token and what differs.
   */
  checkTokens(): Promise<void>
  /** Resends finished writes that a reorganisation reverted, because no process waits for them any more. */
  recover(): Promise<void>
  /** Returns the chain's CAIP-2 id, such as `eip155:8453` or `solana:` and the beginning of its genesis hash. */
  getCaip2(): Promise<string>
  getHead(): Promise<BlockRef>
  /** Returns the number of the newest block: the cheapest question that tells whether there is a new one. */
  getHeadNumber(): Promise<bigint>
  /**
   * Returns the last block that the chain itself calls final, or `undefined` if confirmations are counted
   * instead.
   */
  getFinalBlock(): Promise<bigint | undefined>
  /**
   * Returns the operator's balance for fees, in base units of the native currency, without deploying
   * anything.
   */
  getOperatorBalance(): Promise<bigint>
  /** Reads what an operator wants to know, without deploying anything. Starts the node of a local chain. */
  inspect(): Promise<ChainFacts>
  /**
   * Reads a price feed on this chain: US dollars for one whole unit of its currency, and when that price was
   * set.
   *
   * @returns `undefined` while the feed has no price.
   * @throws if there is no feed at the address.
   */
  readRateFeed(address: string): Promise<{ rate: string; updatedAtMs: number } | undefined>
  /**
   * Calls back for each new block that the node announces, until the returned function is called. What is not announced
   * has to be polled for.
   *
   * @param onHead - Receives the number of the block, if the node names it.
   */
  watchHeads?(onHead: (number?: bigint) => void): () => void
  /** Whether the node announces its blocks now, so that no question finds one sooner. Absent where none does. */
  announcesHeads?(): boolean
  /** Returns the block with a number, or `undefined` if the node does not have it. */
  getBlock(number: bigint): Promise<BlockRef | undefined>
  /** Returns the number of the block that includes a transaction, or `undefined` if no block does. */
  findTransactionBlock(txId: string): Promise<bigint | undefined>
  /**
   * Checks what became of a transaction that a buyer reported. `insufficient-funds` means that it reverted,
   * was to pay this order in this currency, and came from a sender that held less than the amount. Any other
   * transaction that the node has is `known`. Buyers mistake the chain, so the currency may be one that only another
   * chain has.
   */
  traceReported(input: {
    txId: string
    orderId: string
    currency: string
  }): Promise<'unknown' | 'known' | 'insufficient-funds'>
  /**
   * Returns where an order's payment in a currency appears on chain: the key in {@link SeenPayment.target}.
   */
  paymentTarget(input: { orderId: string; currency: string }): string
  preparePayment(input: PreparePaymentInput): Promise<PreparedPayment>
  /**
   * Reads, in few requests, what payers hold of the currencies that they pay in, and of the native one. While that stays
   * the same, {@link ChainPort.preparePayment} answers the same, except as fees change.
   *
   * @returns The holdings of each payer, in their order; `undefined` where a token's contract does not tell.
   */
  readHoldings(payers: readonly Payer[]): Promise<(PayerHoldings | undefined)[]>
  /**
   * Reads, in one batch, what payments of an order would take of a payer. A payer lacks nothing exactly where {@link
   * ChainPort.preparePayment} would be ready.
   *
   * @returns An estimate for each payment, in their order; `undefined` where the chain takes no payment of so little.
   */
  estimatePayments(input: EstimatePaymentsInput): Promise<(PaymentEstimate | undefined)[]>
  /**
   * Finds payments in blocks `fromBlock` to `toBlock`, inclusive, to any of `targets`.
   *
   * @param input.includesEmptied - Whether what arrived may have been paid out since. A chain that is searched by its
   * accounts looks into empty ones too then.
   */
  findPayments(input: {
    fromBlock: bigint
    toBlock: bigint
    targets: readonly string[]
    includesEmptied?: boolean
  }): Promise<SeenPayment[]>
  /**
   * Reads how much of a token has ever arrived for each order. Absent where {@link ChainPort.findPayments} itself
   * compares balances: elsewhere it reports what a token's contract claims, which may be more than what arrived.
   * @units base units of the token
   */
  readArrived?(input: ArrivedInput): Promise<bigint[]>
  /** Returns the address at which {@link ChainPort.createCollection} deploys the contract. */
  collectionAddress(collection: CollectionRef): string
  /**
   * Returns the address of a token on a chain whose tokens have one, such as a mint on Solana. `undefined` where
   * tokens are numbers of their contract.
   */
  tokenAddress(collection: CollectionRef, tokenId: bigint): string | undefined
  /** Returns how many of these tokens, from the first one, fit into one {@link ChainPort.mint}. At least 1. */
  countMints(collection: CollectionRef, tokens: readonly Pick<TokenMint, 'tokenId' | 'recipient'>[]): number
  /**
   * Explains why an address cannot hold a token of a collection: a contract is there that does not accept it. An account
   * with a key can, and so can a wallet that is not deployed yet. {@link ChainPort.mint} asks again, and fails with that
   * reason. Absent on a chain where every address can.
   *
   * @returns `undefined` if it can.
   * @throws {ServiceError} `chain-unavailable`
   */
  explainRecipient?(input: { collection: CollectionRef; recipient: string }): Promise<string | undefined>
  createCollection(
    key: string,
    input: { collection: CollectionRef; terms: CollectionTerms },
    options?: WriteOptions,
  ): Promise<WriteResult>
  /** Also succeeds if the chain already has a newer change. */
  updateCollection(key: string, input: UpdateCollectionInput, options?: WriteOptions): Promise<WriteResult>
  mint(key: string, input: MintInput, options?: WriteOptions): Promise<MintResult>
  /** Also succeeds if the chain already has a newer change. */
  updateToken(key: string, input: UpdateTokenInput, options?: WriteOptions): Promise<WriteResult>
  refund(key: string, input: RefundInput, options?: WriteOptions): Promise<PayOutResult>
  /** Estimates what a refund would cost the operator now. @units base units of the native currency */
  estimateRefundFee(input: RefundInput): Promise<bigint>
  /**
   * Reads what the account costs that a refund has to open for its recipient now, who bears it: otherwise a recipient who
   * closes the account each time gains from every refund. Absent where refunds open no accounts.
   *
   * @units base units of the native currency
   */
  estimateRefundRent?(input: RefundInput): Promise<bigint>
  /** Sends the credit of a refund or sweep to another address. Fails if its recipient has claimed it. */
  payOutCredit(key: string, input: CreditInput, options?: WriteOptions): Promise<WriteResult>
  /** Finds the transaction that paid out the credit of a refund or sweep, or returns `undefined` while it waits. */
  findCreditPayOut(payOutKey: string): Promise<string | undefined>
  /**
   * Moves exactly `units` of a finished order's proceeds to their recipient, by default the treasury. Any
   * surplus is a second payment, which is being refunded. While the order holds less than `units`, nothing
   * moves.
   */
  sweep(
    key: string,
    input: { orderId: string; currency: string; units: bigint; recipient?: string },
    options?: WriteOptions,
  ): Promise<PayOutResult>
  /**
   * Sends unattributed funds from an order's deposit address: coins, by the name of the native currency, or a
   * token that the deployment does not accept, by its address.
   */
  sendUnattributed(key: string, input: RefundInput, options?: WriteOptions): Promise<WriteResult>
  /** Reads what the chain holds for orders and has paid out, each order as of one block. */
  getStatement(input: StatementInput): Promise<Statement>
  /**
   * Whether an address is a contract or program rather than an account with a key. An account that delegates to a
   * contract (EIP-7702) has a key.
   */
  isContract(address: string): Promise<boolean>
  /**
   * Whether an address cannot be a buyer's: the zero address, an account or contract of the deployment, the contract of
   * a currency, or where the order is paid.
   */
  isServiceAddress(input: { orderId: string; address: string }): boolean
  /** Returns a recipient's address in the chain's canonical form, or `undefined` if it is not an address. */
  parseAddress(text: string): string | undefined
  /** Whether a Merkle proof shows that an address is in a tree. Absent on chains without a standard for such trees. */
  isInMerkleTree?(merkleRoot: string, address: string, proof: readonly string[]): boolean
  close(): Promise<void>
}
