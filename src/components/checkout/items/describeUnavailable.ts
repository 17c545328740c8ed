import type { Messages } from '../../../locales/Messages.js'
import type { LineItem } from '../../../schema/index.js'

// A map, because a code is an untrusted string.
const byCode: ReadonlyMap<string, 'saleLater' | 'saleEnded' | 'notInPhase' | 'limitReached'> = new Map([
  ['sale-not-started', 'saleLater'],
  ['sale-ended', 'saleEnded'],
  ['not-in-phase', 'notInPhase'],
  ['limit-reached', 'limitReached'],
])

/** Says which rule of its sale makes a line item unavailable; undefined if none does. */
export const describeUnavailable = ({ quote }: LineItem, messages: Messages): string | undefined => {
  const name = byCode.get(quote.unavailabilityReason?.code ?? '')
  return name && messages[name]
}
