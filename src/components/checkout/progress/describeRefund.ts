import { fill } from '../../../locales/fill.js'
import type { Messages } from '../../../locales/Messages.js'
import { formatAmount } from '../../../order/formatAmount.js'
import type { Order } from '../../../schema/index.js'

const sentences: ReadonlyMap<string, keyof Messages> = new Map([
  ['underpaid', 'causeUnderpaid'],
  ['expired', 'causeExpired'],
  ['unknown', 'causeUnknown'],
  ['overpaid', 'causeOverpaid'],
  ['duplicate', 'causeDuplicate'],
  ['undelivered', 'causeUndelivered'],
  ['requested', 'causeRequested'],
  ['voided', 'causeVoided'],
  ['capture-expired', 'causeCaptureExpired'],
])

/** Says why money goes back; undefined for a cause that this version does not know. */
export const describeCause = (cause: string, messages: Messages): string | undefined => {
  const name = sentences.get(cause)
  return name && messages[name]
}

/**
 * Says what was sent back and why, with the merchant's own words; undefined while nothing was.
 *
 * @param said - The causes that the sentence before it says.
 */
export const describeRefunded = (
  { payment: { refunded }, locale }: Order,
  messages: Messages,
  said: readonly string[] = [],
): string | undefined => {
  if (!refunded) return undefined
  const { causes = [], reason } = refunded
  return [
    fill(messages.refunded, { amount: formatAmount(refunded, locale) }),
    ...causes.map((cause) => !said.includes(cause) && describeCause(cause, messages)),
    reason && `“${reason}”`,
  ]
    .filter(Boolean)
    .join(' ')
}
