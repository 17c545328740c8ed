/**
 * What the rest of the service asks of a chain. One adapter folder implements it per chain family;
 * nothing outside `chains/` knows how a chain works.
 */
import type { TokenStandard } from 'kassa/schema'
import type { WalletPort, WriteOptions } from './walletPort.js'

/** A block, by number and hash: the hash tells a reorganised block from the one it replaced. */
export type BlockRef = { number: bigint; hash: string; timestampMs: number }

/** A token (or the native currency, which has no address) this deployment accepts on a chain. */
export type ChainCurrency = { currency: string; decimals: number; address?: string }

/** What the buyer's wallet will be asked to sign. */
export type PreparePaymentInput = {
  orderId: string
  payer: string
  currency: string
  /** The quoted total in base units of `currency`. */
  units: bigint
  /** Whether the payer needs nothing for gas, whatever stands at its address by now. */
  isGasPaidByOthers?: boolean
  /** After this moment a native payment reverts instead of being stranded. */
  deadlineMs: number
}

/** An unsigned payment, or what the payer lacks to make it. */
export type PreparedPayment =
  | { status: 'ready'; serializedTransaction: string }
  | { status: 'insufficient-funds' }
  | { status: 'insufficient-funds-for-gas' }

/**
 * A payment as a log on chain tells it. One in a token that the deployment does not take has the token's address for
 * a currency; whether such a token really moved is its own word.
 */
export type SeenPayment = {
  txId: string
  logIndex: number
  block: BlockRef
  payer: string
  currency: string
  units: bigint
  /** The order's deposit address, or the router's reference of the order: see {@link ChainPort.paymentTarget}. */
  target: string
}

/** A collection as the chain knows it: `key` and `standard` decide where it is. */
export type CollectionRef = { key: string; standard: TokenStandard }

/** What a collection contract is to be. */
export type CollectionTerms = {
  name: string
  symbol: string
  /** URI of the JSON that marketplaces read of the collection (ERC-7572); empty while there is none. */
  uri: string
  /** 0 means no limit. */
  supplyLimit: bigint
  transferable: boolean
  /** The address that may claim the collection on marketplaces and receives royalties; absent for the operator's. */
  owner?: string
  /** The royalty of a resale in hundredths of a percent; absent means none. */
  royaltyBasisPoints?: number
}

/** One token to mint. */
export type TokenMint = {
  recipient: string
  tokenId: bigint
  uri: string
  /**
   * What is minted here, once: in a semi-fungible collection many tokens share an id, and only this tells a copy
   * from a repetition.
   */
  mintKey: string
  /** The template it is a copy of. Its limit is fixed by the first copy; 0 means none. */
  template?: { key: string; limit: bigint }
  /** When a subscription ends, in epoch seconds. */
  expiresAt?: bigint
}

/** The tokens to mint, and to whom: all of them or none. */
export type MintInput = { collection: CollectionRef; tokens: readonly TokenMint[] }

/** A change of a collection, by the count of its changes: an older one never undoes a newer one. */
export type UpdateCollectionInput = { collection: CollectionRef; revision: bigint; terms: CollectionTerms }

/** A change of a token, by the count of its changes: an older one never undoes a newer one. */
export type UpdateTokenInput = {
  collection: CollectionRef
  tokenId: bigint
  revision: bigint
  uri: string
  /** When a subscription ends, in epoch seconds. */
  expiresAt?: bigint
}

/** What to send back, and to whom. */
export type RefundInput = {
  orderId: string
  currency: string
  units: bigint
  /** The payer, taken from the payment's own log. */
  recipient: string
}

/** What to send of a payer's credit to another address than the payer's. */
export type CreditInput = {
  /** The key of the refund that the payer could not receive. */
  refundKey: string
  recipient: string
}

/** Whose money a chain is asked about, and the keys under which some of it may have left. */
export type StatementInput = readonly {
  orderId: string
  payOutKeys: readonly string[]
  /** Addresses of other tokens than the deployment takes, said to have come for the order. */
  foreignTokens?: readonly string[]
}[]

/** What a chain itself says of the money of orders, whatever was written down of it. Amounts of nothing are left out. */
export type Statement = {
  /** What stands at each order's deposit address and reference; without `orderId`, less than nothing: what is missing. */
  held: readonly { orderId?: string; currency: string; units: bigint }[]
  /**
   * What came past every way of paying: coins at a deposit address, foreign tokens by their address, and, without
   * `orderId`, coins at no asked order's reference.
   */
  strays: readonly { orderId?: string; currency: string; units: bigint }[]
  /** What has left, by the key of the {@link ChainPort.refund} or {@link ChainPort.sweep}. */
  paidOut: readonly { key: string; currency: string; units: bigint }[]
  /** The part of `paidOut` that its payee could not receive and has not claimed yet. */
  credited: readonly { key: string; currency: string; units: bigint }[]
}

/** The call that a write made, for whoever has to find out why it was refused. */
export type CallInfo = { functionName: string; arguments: unknown[]; calldata: string }

/**
 * A finished chain write. `failed` means it can never succeed and was never done, by this key or another: the reason
 * is the chain's own.
 */
export type WriteResult =
  | { status: 'succeeded'; txId: string }
  | { status: 'failed'; reason: string; txId?: string; call?: CallInfo }

/**
 * A finished refund. `credited` means that the payer refused the coins: they wait in `contract`, where the payer
 * claims them with `claimTo(address)`.
 */
export type RefundResult = WriteResult | { status: 'credited'; txId: string; contract: string }

const attemptMark = /#\d+$/

/** The key of another attempt at a write whose earlier attempts failed; the first attempt has the key itself. */
export const attemptKey = (key: string, attempt: number): string => (attempt > 1 ? `${key}#${attempt}` : key)

/** The key that all attempts at one write share. */
export const firstKey = (key: string): string => key.replace(attemptMark, '')

/**
 * Every write takes a `key`. Calling again with one key, from any process, at any time, waits for the same
 * transaction instead of sending another: its signed bytes and nonce are stored before it is broadcast. What failed
 * is sent anew under the next {@link attemptKey}; of all attempts at one write, the chain lets one succeed.
 *
 * @throws {ServiceError} `chain-unavailable` when the node cannot be reached; the caller tries again later.
 */
export type ChainPort = {
  readonly chain: string
  readonly chainId: number
  /** Whether it is a development chain of our own, which may be started anew and then lacks its old blocks. */
  readonly isLocal: boolean
  /** How many blocks make a write final, its own included; and a payment where the chain names no final block. */
  readonly confirmations: number
  readonly currencies: readonly ChainCurrency[]
  readonly wallets: WalletPort
  /** Starts what the chain needs (locally a node; everywhere the contracts). Idempotent, cheap when done. */
  ready(): Promise<void>
  /**
   * Compares the configured tokens with what the chain says of them, and changes nothing.
   *
   * @throws {ConfigError} naming the chain, the token and what differs.
   */
  checkTokens(): Promise<void>
  /** Sends again what a reorganisation took back of finished writes, for which nobody waits any more. */
  recover(): Promise<void>
  getHead(): Promise<BlockRef>
  /** The last block that the chain itself calls final; undefined where confirmations are counted instead. */
  getFinalBlock(): Promise<bigint | undefined>
  /** What the operator's key has left for fees, in base units of the native currency. Deploys nothing. */
  getOperatorBalance(): Promise<bigint>
  /**
   * Reads a price feed on this chain: US dollars for one whole unit of its currency, and when that was set.
   *
   * @returns Undefined while the feed has no price.
   * @throws when there is no feed at the address.
   */
  readRateFeed(address: string): Promise<{ rate: string; updatedAtMs: number } | undefined>
  /** The block of a number; undefined when the node does not have it. */
  getBlock(number: bigint): Promise<BlockRef | undefined>
  /** The block a transaction is in; undefined when it is in none, or was never one. */
  findTransactionBlock(txId: string): Promise<bigint | undefined>
  /**
   * Looks what became of a transaction that a buyer reported. `insufficient-funds` is one that reverted, was to pay this
   * order in this currency, and came from a sender with less than it was to pay. Anything else a node knows is `known`.
   */
  traceReported(input: {
    txId: string
    orderId: string
    currency: string
  }): Promise<'unknown' | 'known' | 'insufficient-funds'>
  /** Where an order's payment in a currency is seen on chain: the key that {@link SeenPayment.target} carries. */
  paymentTarget(input: { orderId: string; currency: string }): string
  preparePayment(input: PreparePaymentInput): Promise<PreparedPayment>
  /** Payments in blocks `fromBlock` to `toBlock`, inclusive, to any of `targets`. */
  findPayments(input: {
    fromBlock: bigint
    toBlock: bigint
    targets: readonly string[]
  }): Promise<SeenPayment[]>
  /** Where {@link ChainPort.createCollection} will put, or has put, the contract. */
  collectionAddress(collection: CollectionRef): string
  createCollection(
    key: string,
    input: { collection: CollectionRef; terms: CollectionTerms },
    options?: WriteOptions,
  ): Promise<WriteResult>
  /** Succeeds too where the chain has a newer change already. */
  updateCollection(key: string, input: UpdateCollectionInput, options?: WriteOptions): Promise<WriteResult>
  mint(key: string, input: MintInput, options?: WriteOptions): Promise<WriteResult>
  /** Succeeds too where the chain has a newer change already. */
  updateToken(key: string, input: UpdateTokenInput, options?: WriteOptions): Promise<WriteResult>
  refund(key: string, input: RefundInput, options?: WriteOptions): Promise<RefundResult>
  /** What a refund would cost the operator now. @units base units of the native currency */
  estimateRefundFee(input: RefundInput): Promise<bigint>
  /** Sends the credit of a refund to another address than the payer's; fails where the payer has claimed it. */
  payOutCredit(key: string, input: CreditInput, options?: WriteOptions): Promise<WriteResult>
  /** The transaction by which the credit of a refund left; undefined while it waits. */
  findCreditPayOut(refundKey: string): Promise<string | undefined>
  /**
   * Moves takings of a finished order to whoever earned them, the treasury unless `recipient` says otherwise: exactly
   * `units`. What is held beyond them is somebody's second payment, on its way back; while less is held, nothing moves.
   */
  sweep(
    key: string,
    input: { orderId: string; currency: string; units: bigint; recipient?: string },
    options?: WriteOptions,
  ): Promise<WriteResult>
  /**
   * Sends unattributed funds of an order's deposit address: coins, by the name of the native currency, or a token
   * that the deployment does not take, by its address.
   */
  sendUnattributed(key: string, input: RefundInput, options?: WriteOptions): Promise<WriteResult>
  /** What the chain holds for orders and has paid out of it, of each order at one moment. */
  getStatement(input: StatementInput): Promise<Statement>
  /** A recipient address in the chain's own canonical spelling, or undefined if it is not one. */
  parseAddress(text: string): string | undefined
  close(): Promise<void>
}
