'use client'

import type { ReactElement } from 'react'
import type { PartProps } from '../../internal/render.js'
import type { ChargeName } from '../../order/index.js'
import { type AmountState, type sliceAmount, useAmount } from './useAmount.js'

/** State of a part that shows a charge. */
export type ChargeState = AmountState & {
  /** Whether it is charged nothing. */
  isZero: boolean
}

/** Props of a part that shows a charge. */
export type ChargeProps = PartProps<'span', ChargeState> & {
  /** Which charge: the goods (`unit`), the tax on them, or shipping. */
  of: ChargeName
}

/** Makes a select for each charge, so that a part has the same one at every render. */
export const selectCharges = <Select>(make: (name: ChargeName) => Select): Record<ChargeName, Select> => ({
  unit: make('unit'),
  salesTax: make('salesTax'),
  shipping: make('shipping'),
})

/** Renders a charge in a `<span>`; nothing where there is none. */
export const useCharge = (
  part: string,
  props: PartProps<'span', ChargeState>,
  price: ReturnType<typeof sliceAmount>,
): ReactElement | null => {
  const { amount } = price
  const element = useAmount(part, props, price, { isZero: amount !== undefined && !/[1-9]/.test(amount) })
  return amount === undefined ? null : element
}
