import { getOpenStep } from '../openStep.js'
import { isUnpaid } from '../payment/isUnpaid.js'
import type { CheckoutValue } from '../value.js'

/** Whether an order may be changed now: it is unpaid, and no payment can be on its way. */
export const isEditable = (value: CheckoutValue): boolean => {
  const { status } = getOpenStep(value)
  return (
    isUnpaid(value) &&
    !value.order?.payment.received &&
    !value.isEditing &&
    value.edit !== undefined &&
    (status === 'idle' || status === 'failed')
  )
}
