import type { AnyKassaError, KassaError } from '../../errors/KassaError.js'

/**
 * A payment's step, with all that a screen needs to show it.
 *
 * - `uncertain`: the wallet was asked and did not answer, or the network has dropped the payment. The
 *   search for it continues, and paying again is the buyer's choice.
 * - `paid`: the transaction is in a block, or the service has seen it. The order shows the rest.
 */
export type PayStep =
  | { status: 'idle' }
  | { status: 'connecting' }
  | { status: 'checking' }
  | { status: 'switching-chain'; chain: string }
  | { status: 'awaiting-signature' }
  | { status: 'broadcast'; txId: string }
  | { status: 'confirming'; txId: string }
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
