import { type CheckedFacts, emitEvent } from './event.js'
import type { PaymentParameters } from './payContext.js'

/** Emits the event that a payment passed every check, right before the wallet is asked. */
export const reportChecked = (
  { onEvent, orderId, now }: Pick<PaymentParameters, 'onEvent' | 'orderId' | 'now'>,
  facts: CheckedFacts,
): void => emitEvent(onEvent, { type: 'payment.checked', orderId, ...facts, atMs: now() })
