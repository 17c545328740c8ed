import { formatAmount } from '../../order/formatAmount.js'
import { roundAmount } from '../../order/roundAmount.js'
import type { Amount } from '../../schema/index.js'

/** What a part shows of an amount. */
export type ShownAmount = {
  children: string
  /** The whole amount, where what is shown is rounded. */
  title?: string
  role?: 'img'
  'aria-label'?: string
}

/**
 * Shows an amount as far as it can be read, and marks one that is rounded; a screen reader reads the whole of it.
 *
 * @param isUp - Whether to round up, as what is to be paid is; down, as what somebody has.
 */
export const showAmount = (amount: Amount, locale: string | undefined, isUp = true): ShownAmount => {
  const whole = formatAmount(amount, locale)
  const rounded = roundAmount(amount.amount, isUp)
  if (rounded === undefined) return { children: whole }
  const children = `≈\u00a0${formatAmount({ ...amount, amount: rounded }, locale)}`
  // A role that has its name read in place of what it shows.
  return { children, title: whole, role: 'img', 'aria-label': whole }
}
