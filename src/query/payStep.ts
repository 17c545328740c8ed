import type { AnyKassaError, KassaError } from '../api/index.js'

/**
 * Where a payment stands, with all that a screen needs to show it.
 *
 * - `uncertain`: the wallet was asked and never answered, or the network has forgotten the payment; it is looked
 *   for meanwhile, and paying again is the buyer's own choice.
 * - `paid`: the transaction is in a block, or the service has seen it. The order tells the rest.
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

/** Whether a payment is under way, so that another click changes nothing. */
export const isPending = (step: PayStep): boolean => pending.includes(step.status)
