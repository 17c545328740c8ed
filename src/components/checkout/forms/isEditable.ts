import { isChangeable } from '../../../order/payment.js'
import { getOpenStep } from '../openStep.js'
import type { CheckoutValue } from '../value.js'

/** Whether an order may be changed now: it is unpaid, what was paid goes back, and no payment can be on its way. */
export const isEditable = (value: CheckoutValue): boolean => {
  const { status } = getOpenStep(value)
  return (
    value.order !== undefined &&
    isChangeable(value.order) &&
    !value.isEditing &&
    value.edit !== undefined &&
    (status === 'idle' || status === 'failed')
  )
}
