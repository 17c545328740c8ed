import { fill } from '../../../locales/fill.js'
import type { Messages } from '../../../locales/Messages.js'
import type { LineItem, Order } from '../../../schema/index.js'

type Described =
  | 'saleLater'
  | 'saleEnded'
  | 'notInPhase'
  | 'phaseSoldOut'
  | 'limitReached'
  | 'recipientRefuses'

// A map, because a code is an untrusted string.
const byCode: ReadonlyMap<string, Described> = new Map([
  ['sale-not-started', 'saleLater'],
  ['sale-ended', 'saleEnded'],
  ['not-in-phase', 'notInPhase'],
  ['phase-sold-out', 'phaseSoldOut'],
  ['limit-reached', 'limitReached'],
  ['recipient-refuses', 'recipientRefuses'],
])

/** Says which rule of its sale, or that its recipient, makes a line item unavailable; undefined if none does. */
export const describeUnavailable = ({ quote }: LineItem, messages: Messages): string | undefined => {
  const name = byCode.get(quote.unavailabilityReason?.code ?? '')
  const phase = quote.sale?.phase?.name
  if (name === 'notInPhase' && phase !== undefined) return fill(messages.forList, { phase })
  const { max, left = 0 } = quote.allowance ?? {}
  if (name === 'limitReached' && left > 0) return fill(messages.limitLeft, { max, count: left })
  return name && messages[name]
}

const ofBuyer: readonly (string | undefined)[] = ['not-in-phase', 'limit-reached', 'recipient-refuses']

/** Whether only its buyer keeps an order from being bought, by a rule of its sale or by a recipient that refuses it, so that another recipient or payer might get it. */
export const isRefusedToBuyer = ({ lineItems }: Order): boolean =>
  lineItems.every(({ quote }) => ofBuyer.includes(quote.unavailabilityReason?.code))
