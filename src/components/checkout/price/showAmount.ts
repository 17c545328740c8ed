import { formatAmount } from '../../../order/formatAmount.js'
import { roundAmount } from '../../../order/roundAmount.js'
import type { Amount } from '../../../schema/index.js'

/** The elements' props that show an amount. */
export type ShownAmount = {
  children: string
  /** The exact amount, if the shown one is rounded. */
  title?: string
  role?: 'img'
  'aria-label'?: string
}

/**
 * Shows an amount with a readable number of digits, and marks a rounded one. A screen reader reads the exact
 * amount.
 *
 * @param isUp - Whether to round up, as for a price to pay, instead of down, as for a balance.
 */
export const showAmount = (amount: Amount, locale: string | undefined, isUp = true): ShownAmount => {
  const whole = formatAmount(amount, locale)
  const rounded = roundAmount(amount.amount, isUp)
  if (rounded === undefined) return { children: whole }
  const children = `≈\u00a0${formatAmount({ ...amount, amount: rounded }, locale)}`
  // With this role, a screen reader reads the label instead of the content.
  return { children, title: whole, role: 'img', 'aria-label': whole }
}
