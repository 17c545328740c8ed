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
import type { ChainCurrency } from './chain.js'

/**
 * The signer that controls a smart wallet: an account, or a passkey by its public key (32 bytes for each
 * coordinate).
 */
export type WalletSigner =
  | { kind: 'account'; address: string }
  | { kind: 'passkey'; publicKey: { x: string; y: string } }

/**
 * A smart wallet. Its address follows from its signer and its salt, before and after its deployment. The salt
 * is any text, such as the wallet's id.
 */
export type SmartWalletRef = { signer: WalletSigner; salt: string }

/** An encoded call. `errors` are the errors that its contract may return, as the caller declared them. */
export type EncodedCall = { to: string; value: bigint; data: string; errors?: readonly unknown[] }

/** A call as callers write it. */
export type WrittenCall =
  | ContractCall
  | DirectCall
  | SerializedCall
  | { to: string; data: string; value?: string }

/** A user operation that is ready to sign, with its wallet's funds, or the revert of its calls. */
export type PreparedOperation =
  | { status: 'ready'; operation: UserOperation; hash: string; spareWei: bigint }
  | { status: 'reverted'; message: string; revert: Revert }

/** The final result of an operation or of an account's call. */
export type OperationResult =
  | { status: 'success'; txId: string }
  | { status: 'failed'; txId?: string; error: TransactionError }

/**
 * The result of operations sent together. `refused` means that none of them happened under this key. The one
 * at `index` was refused, and the others can be sent under another key. `underpriced` means that nothing has
 * been sent under this key yet: the chain's gas price exceeds the offer of the one at `index`, as
 * `explanation` says.
 */
export type BundleResult =
  | { status: 'included'; results: readonly OperationResult[] }
  | { status: 'refused'; index: number; error: TransactionError }
  | { status: 'underpriced'; index: number; explanation: string }

/** A token that a holder received or sent, as a log of its contract shows. */
export type SeenTransfer = {
  contract: string
  tokenId: string
  /** The sender, if it is one of the requested holders. */
  from?: string
  /** The recipient, if it is one of the requested holders. */
  to?: string
  blockNumber: bigint
}

/** A token and its possible holder. Only the chain can confirm it. */
export type TokenOfHolder = { contract: string; tokenId: string; holder: string }

/** A token as the chain shows it now. `uri` is where its metadata are, if the contract returns it. */
export type HeldToken = {
  standard: WalletTokenStandard
  uri: string | undefined
  /** For subscriptions, in epoch seconds. */
  expiresAt: bigint | undefined
}

/** The options of one write. */
export type WriteOptions = {
  /** Called once the transaction has its nonce, so that the sender can start the next one. */
  onSigned?: (() => void) | undefined
  /** Called once the node has received the signed transaction. What follows is waiting for its end. */
  onSent?: (() => void) | undefined
  /**
   * Called before signing, in the database transaction that stores the signed bytes. If it throws, nothing is
   * signed.
   */
  assertDue?: ((tx: Transaction) => Promise<void>) | undefined
}

/** Signed operations of one wallet, to be sent in one transaction. */
export type OperationBundle = {
  operations: readonly UserOperation[]
  /** For each operation, the errors that its calls may return. */
  errors: readonly (readonly unknown[])[]
  /**
   * The wallet of the operations. They do not include the wallet's deployment, since the first one to land
   * would invalidate all others.
   */
  wallet: SmartWalletRef
}

/**
 * What wallets need of a chain. Sends take a `key`, as every write of a chain does: calling again with the
 * same key, from any process, at any time, waits for the same transaction instead of sending another.
 *
 * @throws {ServiceError} `chain-unavailable` if the node cannot be reached; the caller tries again later.
 */
export type WalletPort = {
  /** The type of the wallets that the service keeps for users; undefined if it keeps none on these chains. */
  readonly custodialType: 'evm-mpc-wallet' | undefined
  /** Returns the address of the account of a private key: 32 bytes. It is the same on every chain of the family. */
  accountAddress(privateKey: Uint8Array): string
  /**
   * Returns the address of a smart wallet, deployed or not. It is the same on every chain of the family, and
   * computed without asking one.
   */
  smartWalletAddress(wallet: SmartWalletRef): string
  /**
   * Encodes calls without asking a chain.
   *
   * @param field - The field that holds the calls, such as `params.calls`. Errors name
   * `params.calls[0].args`. A field that ends in `.call` holds a single call, so its errors have no index.
   * @throws {ServiceError} `input-invalid` naming the field: a function that the interface does not have,
   * arguments that do not fit, a transaction of another chain, or a contract creation.
   */
  encodeCalls(calls: readonly WrittenCall[], field: string): EncodedCall[]
  /** Returns the next nonce on chain of a smart wallet's channel, with the channel in its upper 192 bits. */
  getOperationNonce(address: string, channel: bigint): Promise<bigint>
  /**
   * Simulates the calls as the wallet would make them, all or none, estimates their gas, and builds an
   * operation whose hash is the EntryPoint's. Its `signature` is `0x`.
   *
   * @param isSponsored - Whether the bundler pays for the gas. The operation then offers no fees.
   */
  prepareOperation(input: {
    wallet: SmartWalletRef
    calls: readonly EncodedCall[]
    nonce: bigint
    isSponsored: boolean
  }): Promise<PreparedOperation>
  /** Returns the hash of an operation as the EntryPoint computes it, without asking a chain. */
  hashOperation(operation: UserOperation): string
  /**
   * Checks a signer's signature as the wallet's contract will, and encodes it in the form that the contract
   * accepts.
   *
   * @returns The signature, or why it is not this signer's signature of this message. An account's malleated
   * signature is not.
   */
  readApproval(
    signer: WalletSigner,
    message: string,
    approval: Approval,
  ): Promise<{ signature: string } | { fault: string }>
  /**
   * Signs a message with a custodial key in the form that {@link WalletPort.readApproval} accepts, without
   * asking a chain.
   */
  signMessage(privateKey: Uint8Array, message: string): Promise<string>
  /**
   * Sends signed operations of one wallet in one transaction from the service's own key, and waits for their
   * end. If the wallet is missing, the transaction deploys it first. An operation that is on chain already,
   * from any sender, counts as included.
   */
  sendOperations(key: string, bundle: OperationBundle, options?: WriteOptions): Promise<BundleResult>
  /**
   * Finds the result of an operation, from any sender, or returns `undefined` if it is not on chain.
   *
   * @param errors - The errors that its calls may return.
   */
  findOperation(operation: UserOperation, errors: readonly unknown[]): Promise<OperationResult | undefined>
  /**
   * Simulates a call as an account would make it, and checks that the account or its sponsor can pay for the
   * gas.
   */
  tryCall(
    from: string,
    call: EncodedCall,
    terms: { isSponsored: boolean },
  ): Promise<{ status: 'ready' } | { status: 'reverted'; message: string; revert: Revert }>
  /** Sends a call from an account whose key the service keeps, and waits for its end. */
  sendCall(
    key: string,
    input: { privateKey: Uint8Array; call: EncodedCall; isSponsored: boolean },
    options?: WriteOptions,
  ): Promise<OperationResult>
  /** The currencies whose balances can be read: those of the chain, and published tokens beside them. */
  readonly currencies: readonly ChainCurrency[]
  /** Reads what an address holds of each of these currencies that is asked for, in base units. */
  getBalances(address: string, currencies: readonly string[]): Promise<Record<string, bigint>>
  /** Gives an address test tokens, from the faucet of a test token or from the operator's balance. */
  fund(key: string, input: { currency: string; units: bigint; recipient: string }): Promise<OperationResult>
  /**
   * Finds transfers of the contracts' tokens in blocks `fromBlock` to `toBlock`, inclusive, in the chain's
   * order.
   */
  findTransfers(input: {
    fromBlock: bigint
    toBlock: bigint
    contracts: readonly string[]
  }): Promise<SeenTransfer[]>
  /**
   * Finds transfers of any contract's tokens from or to the wallets in blocks `fromBlock` to `toBlock`,
   * inclusive, in the chain's order. Contracts may log anything: only a token's current state shows its
   * holder. `from` and `to` name only these wallets, because the transfers of others are found only in part.
   */
  findTransfersOf(input: {
    fromBlock: bigint
    toBlock: bigint
    wallets: readonly string[]
  }): Promise<SeenTransfer[]>
  /**
   * Reads each token that its holder holds now (at least one copy of a semi-fungible token). The result is
   * `undefined` for any other token.
   */
  readTokens(tokens: readonly TokenOfHolder[]): Promise<(HeldToken | undefined)[]>
  /**
   * Finds the owner of a token. Returns `semi-fungible` if there may be many owners, and `undefined` if there
   * is none.
   */
  findOwner(token: {
    contract: string
    tokenId: string
  }): Promise<{ owner: string; expiresAt: bigint | undefined } | 'semi-fungible' | undefined>
}
