import type { Address, Hex, TransactionReceipt } from 'viem'
import type { WriteOptions } from '#base/ports/write.js'

/** A call that the service sends from a key that it keeps. */
export type OutboxCall = {
  to: Address
  data: Hex
  value?: bigint
  /** The most gas that it may take. One that needs more is refused. The default is what a transaction may use. */
  maxGas?: bigint
}

/** The terms on which a call is sent. */
export type SendTerms = WriteOptions & {
  /**
   * Whether to sign again with another nonce if another transaction has used the first one. This is safe when
   * the contracts let only one of the two succeed. Without such a guard, the call fails instead.
   */
  isGuarded?: boolean
  /**
   * Whether the wait ends after an hour in which the node shows neither the transaction nor what used its
   * nonce. The call then fails with `untoldReason`, though it may have landed.
   */
  mayEndUnknown?: boolean
  /** Describes a contract's refusal of the call, in the place of the outbox's `explain`. */
  explain?: ((error: unknown) => string | undefined) | undefined
  /** Called with the receipt of the transaction once it is final. */
  onFinal?: ((receipt: TransactionReceipt) => void) | undefined
  /** Lets the call share a transaction with others that come at about the same time. */
  sharing?: Sharing | undefined
}

/**
 * How calls of one kind share a transaction. The contracts must let each of them take effect once, because a call
 * whose shared transaction failed is sent again alone.
 */
export type Sharing = {
  /** Calls of the same name can be joined. */
  name: string
  /** Joins the data of several calls to one contract. */
  join(calldata: readonly Hex[]): Hex
}
