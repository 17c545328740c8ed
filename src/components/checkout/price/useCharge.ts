'use client'

import type { ReactElement } from 'react'
import type { PartProps } from '../../../internal/render.js'
import type { ChargeName } from '../../../order/index.js'
import { type AmountState, type sliceAmount, useAmount } from './useAmount.js'

/** State of a part that shows a charge. */
export type ChargeState = AmountState & {
  /** Whether the charge is zero. */
  isZero: boolean
}

/** Props of a part that shows a charge. */
export type ChargeProps = PartProps<'span', ChargeState> & {
  /** The charge: the goods (`unit`), the tax on them, shipping, or what a promotion code takes off (`discount`). */
  of: ChargeName
}

/** Creates one select function per charge, so that a part uses the same one at every render. */
export const selectCharges = <Select>(make: (name: ChargeName) => Select): Record<ChargeName, Select> => ({
  unit: make('unit'),
  salesTax: make('salesTax'),
  shipping: make('shipping'),
  discount: make('discount'),
})

/** Renders a charge in a `<span>`, or nothing if there is none. */
export const useCharge = (
  part: string,
  props: PartProps<'span', ChargeState>,
  price: ReturnType<typeof sliceAmount>,
): ReactElement | null => {
  const { amount } = price
  const element = useAmount(part, props, price, { isZero: amount !== undefined && !/[1-9]/.test(amount) })
  return amount === undefined ? null : element
}
