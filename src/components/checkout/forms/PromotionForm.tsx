'use client'

import type { ReactElement } from 'react'
import { isChangeable } from '../../../order/payment.js'
import { trimCode } from '../../../schema/limits.js'
import { useCheckout } from '../RootContext.js'
import type { CheckoutValue } from '../value.js'
import { CheckoutField } from './Field.js'
import { type OrderFormProps, type OrderFormState, type ToBody, useOrderForm } from './useOrderForm.js'

export declare namespace CheckoutPromotionForm {
  /** State of {@link CheckoutPromotionForm}. */
  export type State = OrderFormState

  /** Props of {@link CheckoutPromotionForm}. */
  export type Props = OrderFormProps
}

const toBody: ToBody = (get) => ({ promotionCode: trimCode(get('promotionCode')) || null })

const select = (value: CheckoutValue) => ({
  isOpen: value.order !== undefined && isChangeable(value.order),
})

/**
 * Renders a `<form>`. Asks for a promotion code, which changes the price; empty, it removes the code. Absent once the
 * order is being paid. `quote.sale.hasPromotionCodes` of a line item says whether there are codes for it.
 */
export function CheckoutPromotionForm({
  isOpen,
  ...props
}: CheckoutPromotionForm.Props): ReactElement | null {
  const slice = useCheckout('PromotionForm', select)
  return useOrderForm(
    'Promotion',
    { ...props, isOpen: isOpen ?? slice.isOpen },
    { fields: <CheckoutField name="promotionCode" />, toBody },
  )
}
