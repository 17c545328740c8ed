'use client'

import type { ReactElement } from 'react'
import type { PartState } from '../../../internal/dataAttributes.js'
import { type PartProps, useRender } from '../../../internal/render.js'
import type { Amount } from '../../../schema/index.js'
import { showAmount } from './showAmount.js'

/**
 * State of a part that shows an amount; empty while there is none.
 *
 * @units `amount` is an exact decimal string in whole units of `currency`.
 */
export type AmountState = {
  amount: string | undefined
  currency: string | undefined
  /** Whether fewer digits are shown than the amount has. The `title` has them all. */
  isRounded: boolean
}

/**
 * Selects the fields of the checkout that show an amount. They are flat, because a part compares field by
 * field.
 *
 * @param free - The text for zero. By default, zero is shown as an amount.
 */
export const sliceAmount = (price: Amount | undefined, locale: string | undefined, free?: string) => ({
  amount: price?.amount,
  currency: price?.currency,
  locale,
  free,
})

const isZero = (amount: string): boolean => /^[0.]+$/.test(amount)

/**
 * Renders an amount in a `<span>`, for every part that shows one.
 *
 * @param slice - From {@link sliceAmount}.
 * @param more - Further fields of the part's state.
 */
export const useAmount = <More extends PartState>(
  part: string,
  props: PartProps<'span', AmountState & More>,
  { amount, currency, locale, free }: ReturnType<typeof sliceAmount>,
  more: More,
): ReactElement => {
  const isKnown = amount !== undefined && currency !== undefined
  const isFree = isKnown && free !== undefined && isZero(amount)
  const shown = isKnown && !isFree ? showAmount({ amount, currency }, locale) : undefined
  const state = { ...more, amount, currency, isRounded: shown?.title !== undefined }
  const { children } = props
  const given = typeof children === 'function' ? children(state) : children
  // The role and the label read out the default text, so custom content gets only the title.
  const text = isFree ? { children: free } : (shown ?? {})
  const own = given === undefined ? text : { title: shown?.title }
  return useRender('span', part, { ...props, children: given }, state, own)
}
