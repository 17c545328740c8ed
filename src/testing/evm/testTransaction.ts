import type { Address, Hex } from 'viem'
import type { SettledSignature } from './createSignatureLedger.js'

/** A wallet's transaction request to a node. @units `value` and `gas` in base units of the chain */
export type TestCall = { from: Address; to: Address; value: bigint; data: Hex }

/** A log in a payment's block. */
export type TestLog = { address: Address; topics: Hex[]; data: Hex }

/** A transaction on a test chain; it is in a block once it has been mined. */
export type TestTransaction = TestCall & {
  chainId: number
  hash: Hex
  nonce: number
  gas: bigint
  /** The time from which it can be mined, in epoch milliseconds. */
  dueMs: number
  /** The transaction that its sender replaces it with right before that. */
  replacedBy?: TestCall | undefined
  /** The calls to make instead of a single one, all or none, as a smart wallet was asked for them. */
  calls?: readonly TestCall[] | undefined
  /** The signed payment that it settles. */
  settles?: SettledSignature | undefined
  /** Whether another party pays for its gas. */
  isSponsored?: boolean | undefined
  /** The data with which it reverts, regardless of its calls. */
  failsWith?: Hex | undefined
  /** Its outcome once it is mined. `revertData` is its revert data, if there was any. */
  mined?: { atMs: number; isReverted: boolean; logs: TestLog[]; revertData?: Hex | undefined }
}

/** Optional fields of a transaction beside its call. */
export type SendOptions = Partial<
  Pick<TestTransaction, 'gas' | 'replacedBy' | 'calls' | 'settles' | 'isSponsored' | 'failsWith'>
> & {
  /** How long it takes to be mined. @units milliseconds */
  delayMs?: number | undefined
}

/** The gas that every transaction uses. */
export const gasUsed = 60_000n
/** The gas price. @units wei */
export const gasPriceWei = 1_000_000_000n
