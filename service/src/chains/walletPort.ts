import type {
  Approval,
  ContractCall,
  DirectCall,
  Revert,
  SerializedCall,
  TransactionError,
  UserOperation,
  WalletTokenStandard,
} from 'kassa/schema'
import type { Transaction } from '../db/database.js'

/** Who controls a smart wallet, as its contract knows it: an account, or a passkey by its public key (32 bytes each). */
export type WalletSigner =
  | { kind: 'account'; address: string }
  | { kind: 'passkey'; publicKey: { x: string; y: string } }

/**
 * A smart wallet: its address follows from its signer and its salt, whether anything stands there yet or not. The salt
 * is any text, such as the wallet's id.
 */
export type SmartWalletRef = { signer: WalletSigner; salt: string }

/** A call that is encoded. `errors` are the errors that its contract may answer with, as the caller described them. */
export type EncodedCall = { to: string; value: bigint; data: string; errors?: readonly unknown[] }

/** Calls as callers write them. */
export type WrittenCall =
  | ContractCall
  | DirectCall
  | SerializedCall
  | { to: string; data: string; value?: string }

/** A user operation that could be signed now, and what its wallet has to spend, or what its calls run into. */
export type PreparedOperation =
  | { status: 'ready'; operation: UserOperation; hash: string; spareWei: bigint }
  | { status: 'reverted'; message: string; revert: Revert }

/** What became of one operation, or of one account's call, for good. */
export type OperationResult =
  | { status: 'success'; txId: string }
  | { status: 'failed'; txId?: string; error: TransactionError }

/**
 * What became of operations that were sent together. `refused` means that none of them happened by this key: the one
 * at `index` would not be had; the others can be sent under another key. `underpriced` means that nothing was sent by
 * this key yet: the chain takes more for its gas now than the one at `index` offers, as `explanation` says.
 */
export type BundleResult =
  | { status: 'included'; results: readonly OperationResult[] }
  | { status: 'refused'; index: number; error: TransactionError }
  | { status: 'underpriced'; index: number; explanation: string }

/** A token that came to a holder or left one, as a log of its contract tells. */
export type SeenTransfer = {
  contract: string
  tokenId: string
  /** The holder that it left, where one was asked for. */
  from?: string
  /** The holder that it came to, where one was asked for. */
  to?: string
  blockNumber: bigint
}

/** A token that may be somebody's: whether it is, only the chain can say. */
export type TokenOfHolder = { contract: string; tokenId: string; holder: string }

/** What a chain says of a token at the moment it is asked. `uri` is where its metadata are, if the contract tells. */
export type HeldToken = {
  standard: WalletTokenStandard
  uri: string | undefined
  /** Of subscriptions, in epoch seconds. */
  expiresAt: bigint | undefined
}

/** What a caller asks of one write. */
export type WriteOptions = {
  /** Called once the transaction has its nonce, so that the sender's next one may follow. */
  onSigned?: (() => void) | undefined
  /** Called once the node was given the signed transaction. What follows is waiting for its end. */
  onSent?: (() => void) | undefined
  /**
   * Called in the database transaction that keeps the signed bytes, before anything is signed. Nothing is signed when
   * it throws.
   */
  assertDue?: ((tx: Transaction) => Promise<void>) | undefined
}

/** Signed operations of one wallet, to be sent in one transaction. */
export type OperationBundle = {
  operations: readonly UserOperation[]
  /** Of each operation, the errors that its calls may be answered with. */
  errors: readonly (readonly unknown[])[]
  /**
   * Whose operations they are. They do not say how the wallet is put in place, since the first one to land would void
   * all others.
   */
  wallet: SmartWalletRef
}

/**
 * What wallets need of a chain. Sending takes a `key` as every write of a chain does: calling again with one key,
 * from any process, at any time, waits for the same transaction instead of sending another.
 *
 * @throws {ServiceError} `chain-unavailable` when the node cannot be reached; the caller tries again later.
 */
export type WalletPort = {
  /** Where a smart wallet stands or will stand; the same on every chain. Asks no chain. */
  smartWalletAddress(wallet: SmartWalletRef): string
  /**
   * Encodes calls. Asks no chain.
   *
   * @param field - Where the calls were written, such as `params.calls`: faults are named by `params.calls[0].args`.
   * One that ends in `.call` has room for one call, which is named without an index.
   * @throws {ServiceError} `input-invalid` naming the field: a function that the interface does not have, arguments
   * that do not fit, a transaction of another chain, one that makes a contract.
   */
  encodeCalls(calls: readonly WrittenCall[], field: string): EncodedCall[]
  /** The nonce that a lane of a smart wallet has next on chain, with the lane in its upper 192 bits. */
  getOperationNonce(address: string, lane: bigint): Promise<bigint>
  /**
   * Tries the calls out as the wallet would make them, all or none, estimates their gas, and makes an operation of
   * them whose hash is the EntryPoint's. Its `signature` is `0x`.
   *
   * @param isSponsored - Whether the one who bundles pays for the gas: the operation then offers no fees.
   */
  prepareOperation(input: {
    wallet: SmartWalletRef
    calls: readonly EncodedCall[]
    nonce: bigint
    isSponsored: boolean
  }): Promise<PreparedOperation>
  /** The hash of an operation as the EntryPoint computes it. Asks no chain. */
  hashOperation(operation: UserOperation): string
  /**
   * Checks what a signer has signed, as the wallet's contract will, and writes it as that contract takes it.
   *
   * @returns The signature, or why it is none of this signer's over this message (an account’s malleated one is none).
   */
  readApproval(
    signer: WalletSigner,
    message: string,
    approval: Approval,
  ): Promise<{ signature: string } | { fault: string }>
  /** Signs a message with a custodial key, as {@link WalletPort.readApproval} would have it. Asks no chain. */
  signMessage(privateKey: Uint8Array, message: string): Promise<string>
  /**
   * Sends signed operations of one wallet in one transaction of the service's own key, which puts the wallet in
   * place first where it is missing, and waits for their end. An operation that is on chain already, whoever sent
   * it, counts as included.
   */
  sendOperations(key: string, bundle: OperationBundle, options?: WriteOptions): Promise<BundleResult>
  /**
   * What became of an operation, whoever sent it; undefined where it is not on chain.
   *
   * @param errors - What its calls may be answered with.
   */
  findOperation(operation: UserOperation, errors: readonly unknown[]): Promise<OperationResult | undefined>
  /** Tries out a call as an account would make it, and whether somebody pays for its gas. */
  tryCall(
    from: string,
    call: EncodedCall,
    terms: { isSponsored: boolean },
  ): Promise<{ status: 'ready' } | { status: 'reverted'; message: string; revert: Revert }>
  /** Sends a call from an account of which the service keeps the key, and waits for its end. */
  sendCall(
    key: string,
    input: { privateKey: Uint8Array; call: EncodedCall; isSponsored: boolean },
    options?: WriteOptions,
  ): Promise<OperationResult>
  /** What an address holds of each currency that this deployment knows on the chain, in base units. */
  getBalances(address: string, currencies: readonly string[]): Promise<Record<string, bigint>>
  /** Gives an address test tokens, from the faucet of a test token or from the operator's own. */
  fund(key: string, input: { currency: string; units: bigint; recipient: string }): Promise<OperationResult>
  /** Transfers of tokens of some contracts in blocks `fromBlock` to `toBlock`, inclusive, in the chain's order. */
  findTransfers(input: {
    fromBlock: bigint
    toBlock: bigint
    contracts: readonly string[]
  }): Promise<SeenTransfer[]>
  /**
   * Transfers of tokens of any contract from or to some wallets in blocks `fromBlock` to `toBlock`, inclusive, in the
   * chain's order. Contracts may log whatever they like: only the chain can say who holds a token.
   * `from` and `to` name those of the wallets alone: of others, some transfers only are found.
   */
  findTransfersOf(input: {
    fromBlock: bigint
    toBlock: bigint
    wallets: readonly string[]
  }): Promise<SeenTransfer[]>
  /** What each token is, if its holder holds it now (at least one, of a semi-fungible one); else undefined. */
  readTokens(tokens: readonly TokenOfHolder[]): Promise<(HeldToken | undefined)[]>
  /** Who owns a token of one kind; `semi-fungible` where there may be many owners, undefined where there is none. */
  findOwner(token: {
    contract: string
    tokenId: string
  }): Promise<{ owner: string; expiresAt: bigint | undefined } | 'semi-fungible' | undefined>
}
