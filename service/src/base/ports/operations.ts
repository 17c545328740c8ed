import type { Approval, Revert, TransactionError, UserOperation } from 'kassa/schema'
import type { EncodedCall } from './calls.js'
import type { WalletResult, WriteOptions } from './write.js'

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

/** A user operation that is ready to sign, with its wallet's funds, or the revert of its calls. */
export type PreparedOperation =
  | { status: 'ready'; operation: UserOperation; hash: string; spareWei: bigint }
  | { status: 'reverted'; message: string; revert: Revert }

/**
 * The result of operations sent together. `refused` means that none of them happened under this key. The one
 * at `index` was refused, and the others can be sent under another key. `underpriced` means that nothing has
 * been sent under this key yet: the chain's gas price exceeds the offer of the one at `index`, as
 * `explanation` says.
 */
export type BundleResult =
  | { status: 'included'; results: readonly WalletResult[] }
  | { status: 'refused'; index: number; error: TransactionError }
  | { status: 'underpriced'; index: number; explanation: string }

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

/** User operations of smart wallets (ERC-4337). Sends take a key, as those of `WalletPort` do. */
export type OperationPort = {
  /**
   * Returns the address of a smart wallet, deployed or not. It is the same on every chain of the family, and
   * computed without asking one.
   */
  walletAddress(wallet: SmartWalletRef): string
  /** Returns the next nonce on chain of a smart wallet's channel, with the channel in its upper 192 bits. */
  getNonce(address: string, channel: bigint): Promise<bigint>
  /**
   * Simulates the calls as the wallet would make them, all or none, estimates their gas, and builds an
   * operation whose hash is the EntryPoint's. Its `signature` is `0x`.
   *
   * @param isSponsored - Whether the bundler pays for the gas. The operation then offers no fees.
   */
  prepare(input: {
    wallet: SmartWalletRef
    calls: readonly EncodedCall[]
    nonce: bigint
    isSponsored: boolean
  }): Promise<PreparedOperation>
  /** Returns the hash of an operation as the EntryPoint computes it, without asking a chain. */
  hash(operation: UserOperation): string
  /**
   * Checks a signer's signature as the wallet's contract will, and encodes it in the form that the contract
   * accepts.
   *
   * @returns The signature, or why it is not this signer's signature of this hash. An account's malleated
   * signature is not.
   */
  readApproval(
    signer: WalletSigner,
    hash: string,
    approval: Approval,
  ): Promise<{ signature: string } | { fault: string }>
  /** Signs a hash with a custodial key in the form that {@link OperationPort.readApproval} accepts. */
  sign(privateKey: Uint8Array, hash: string): Promise<string>
  /**
   * Sends signed operations of one wallet in one transaction from the service's own key, and waits for their
   * end. If the wallet is missing, the transaction deploys it first. An operation that is on chain already,
   * from any sender, counts as included.
   */
  send(key: string, bundle: OperationBundle, options?: WriteOptions): Promise<BundleResult>
  /**
   * Finds the result of an operation, from any sender, or returns `undefined` if it is not on chain.
   *
   * @param errors - The errors that its calls may return.
   */
  find(operation: UserOperation, errors: readonly unknown[]): Promise<WalletResult | undefined>
}
