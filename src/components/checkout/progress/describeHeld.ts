import { fill } from '../../../locales/fill.js'
import type { Messages } from '../../../locales/Messages.js'
import { formatAmount } from '../../../order/formatAmount.js'
import type { Order } from '../../../schema/index.js'

/** Says why a refund is not on its way, and what the buyer can do. */
export const describeHeld = ({ payment, locale }: Order, messages: Messages): string | undefined => {
  const { refundHeld } = payment
  if (!refundHeld) return undefined
  const known: Record<string, string | undefined> = {
    'below-fee': messages.refundBelowFee,
    'contract-payer': messages.refundFromContract,
    cap: messages.refundSoon,
  }
  const sentence = known[refundHeld.reason ?? ''] ?? messages.refundHeld
  return fill(sentence, { amount: formatAmount(refundHeld, locale) })
}
