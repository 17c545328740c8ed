'use client'

import { type RefObject, useContext, useEffect, useRef } from 'react'
import type { AnyKassaError } from '../../../errors/index.js'
import type { OrderParameters } from '../../../query/order.js'
import { isEditable } from '../forms/isEditable.js'
import { AccessContext, useCheckout, useCheckoutStore } from '../RootContext.js'
import { type CheckoutValue, getCheckoutStage } from '../value.js'
import { isSameOption, sortOptions } from './sortOptions.js'
import { useListedOptions } from './useListedOptions.js'
import { usePaymentChoice } from './usePaymentChoice.js'

const select = (value: CheckoutValue) => ({
  isShort: getCheckoutStage(value) === 'insufficient-funds',
  isEditable: isEditable(value),
  isPending: Boolean(value.isEditing),
  method: value.order?.payment.method,
  currency: value.order?.payment.currency,
  error: value.editError,
})

type Slice = ReturnType<typeof select>

type PreselectionProps = {
  /** The wallet for which a way to pay was chosen. It outlives this component. */
  chosenForRef: RefObject<string | undefined>
}

/**
 * Renders nothing. When the wallet cannot pay as the order says, it chooses the cheapest way in which the wallet can:
 * once for each wallet, so that what the buyer chooses afterwards stays.
 */
export function Preselection(props: PreselectionProps) {
  const slice = useCheckout('Panel', select)
  const access = useContext(AccessContext)
  // A separate component, so that ways to pay are read only for a wallet that needs another one.
  return slice.isShort && access ? <Chooser access={access} slice={slice} {...props} /> : null
}

function Chooser({
  access,
  slice: { method, currency, isPending, isEditable: canEdit, error },
  chosenForRef,
}: PreselectionProps & { access: OrderParameters; slice: Slice }) {
  const { options, address, isFetching } = useListedOptions(access, method)
  const { choose } = usePaymentChoice('Panel', { isEditable: canEdit, isPending })
  const store = useCheckoutStore('Panel')
  const hidden = useRef<AnyKassaError | 'sent'>(undefined)
  // The buyer did not ask for it, so a refusal shows nothing but the order as it was.
  useEffect(() => {
    if (isPending || hidden.current !== 'sent') return
    hidden.current = error
    store.set({ ...store.get(), formError: error })
  }, [isPending, error, store])
  useEffect(
    () => () => {
      const value = store.get()
      // A form may have sent another change since, whose refusal is its own to show.
      if (value.formError === hidden.current) store.set({ ...value, formError: undefined })
    },
    [store],
  )
  useEffect(() => {
    if (!options || !method || !currency || isFetching || !canEdit) return
    if (address === undefined || chosenForRef.current === address) return
    const own = { chain: method, currency }
    const [best] = sortOptions(options, own)
    if (!best?.sufficient || options.some((each) => each.sufficient && isSameOption(each, own))) return
    chosenForRef.current = address
    hidden.current = 'sent'
    store.set({ ...store.get(), formError: 'sent' })
    choose({ method: best.chain, currency: best.currency })
  })
  return null
}
