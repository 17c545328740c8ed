import type { ServiceCall } from './contracts.js'

/** A transfer that a buyer's transaction makes. */
export type Transfer = { target: string; currency: string; units: bigint }

/** A transaction that waits for a block. Of those with one `account` and `nonce`, one is included. */
export type PendingTransaction = { txId: string; account: string; nonce: number; fee: number } & (
  | { type: 'payment'; transfers: readonly Transfer[]; deadlineMs?: number | undefined }
  | { type: 'service'; call: ServiceCall }
)

/** A transaction in a block, and whether it reverted. */
export type Included = { transaction: PendingTransaction; blockNumber: number; failure?: string | undefined }

/** Returns the order that a target belongs to. */
export const orderOf = (target: string): string => target.slice(target.indexOf(':') + 1)

/** Returns the order that a call concerns, or an empty text. */
export const orderOfCall = (call: ServiceCall): string => ('orderId' in call ? call.orderId : '')
