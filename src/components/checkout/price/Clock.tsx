'use client'

import { useLayoutEffect } from 'react'
import { getServiceTime } from '../../../api/clock.js'
import { useProvided } from '../../../hooks/checkoutContext.js'
import { useNow } from '../../../hooks/useNow.js'
import { hasOpening } from '../../../order/opening.js'
import { useCheckout, useCheckoutStore } from '../RootContext.js'
import type { CheckoutValue } from '../value.js'

const select = ({ order }: CheckoutValue) => ({
  hasDeadline: order?.phase === 'payment' || (order !== undefined && hasOpening(order)),
})

/** Renders no element. Advances a checkout's clock while its order has a deadline or waits for a sale to open. */
export function Clock() {
  return useCheckout('Root', select).hasDeadline && <Beat />
}

function Beat() {
  const store = useCheckoutStore('Root')
  const client = useProvided()?.client
  const deviceMs = useNow(1000)
  const nowMs = client && deviceMs !== undefined ? getServiceTime(client, deviceMs) : deviceMs
  useLayoutEffect(() => store.set({ ...store.get(), nowMs }), [store, nowMs])
  return null
}
