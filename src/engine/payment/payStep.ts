import type { AnyKassaError, KassaError } from '../../errors/KassaError.js'

/** Which of several signatures the wallet is asked for: `{ number: 1, count: 2 }` is the first of two. */
export type SignaturePart = { number: number; count: number }

/**
 * A payment's step, with all that a screen needs to show it.
 *
 * - `awaiting-signature`: the wallet was asked. `part` is there only if a payment takes more than one signature.
 * - `broadcast`, `confirming`: `txId` is undefined while the buyer has signed and the shop has not sent the payment.
 * - `uncertain`: the wallet was asked and did not answer, or the network has dropped the payment. The
 *   search for it continues, and paying again is the buyer's choice.
 * - `paid`: the transaction is in a block, or the service has seen it. The order shows the rest.
 */
export type PayStep =
  | { status: 'idle' }
  | { status: 'connecting' }
  | { status: 'checking' }
  | { status: 'switching-chain'; chain: string }
  | { status: 'awaiting-signature'; part?: SignaturePart | undefined }
  | { status: 'broadcast'; txId: string | undefined }
  | { status: 'confirming'; txId: string | undefined }
  | { status: 'paid'; txId?: string | undefined }
  | { status: 'uncertain'; error: KassaError<'pay.uncertain'> | KassaError<'pay.dropped'> }
  | { status: 'failed'; error: AnyKassaError }

const pending: readonly PayStep['status'][] = [
  'connecting',
  'checking',
  'switching-chain',
  'awaiting-signature',
  'broadcast',
  'confirming',
]

/** Whether a payment is in progress, so that another click has no effect. */
export const isPending = (step: PayStep): boolean => pending.includes(step.status)
