import type { Address, Hex } from 'viem'

/** What a wallet asks a node to send. @units `valueWei` and `gas` in base units of the chain. */
export type TestCall = { from: Address; to: Address; valueWei: bigint; data: Hex }

/** What a payment leaves in its block. */
export type TestLog = { address: Address; topics: Hex[]; data: Hex }

/** A transaction on a test chain; it is in a block once it has been mined. */
export type TestTransaction = TestCall & {
  chainId: number
  hash: Hex
  nonce: number
  gas: bigint
  /** From when on it belongs into a block, in epoch milliseconds. */
  dueMs: number
  /** What its sender puts in its place right before that. */
  replacedBy?: TestCall | undefined
  /** The calls to make instead of a single one, all or none, as a smart wallet was asked for them. */
  calls?: readonly TestCall[] | undefined
  /** Whether another party pays for its gas. */
  isSponsored?: boolean | undefined
  /** What it reverts with, whatever it does. */
  failsWith?: Hex | undefined
  /** How it went, once it is in a block; `revertData` is what it reverted with, if it said so. */
  mined?: { atMs: number; isReverted: boolean; logs: TestLog[]; revertData?: Hex | undefined }
}

/** What a transaction may have beside its call. */
export type SendOptions = Partial<
  Pick<TestTransaction, 'gas' | 'replacedBy' | 'calls' | 'isSponsored' | 'failsWith'>
> & {
  /** How long it takes into its block. @units milliseconds */
  delayMs?: number | undefined
}

/** What every transaction uses. */
export const gasUsed = 60_000n
/** What a unit of gas costs. @units wei */
export const gasPriceWei = 1_000_000_000n
