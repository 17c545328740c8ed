'use client'

import { type ReactElement, useContext, useLayoutEffect, useState } from 'react'
import { getServiceTime } from '../../api/index.js'
import { CheckoutContext } from '../../hooks/checkoutContext.js'
import { useNow } from '../../hooks/useNow.js'
import { useOrder } from '../../hooks/useOrder.js'
import { usePayOrder } from '../../hooks/usePayOrder.js'
import { useRefreshOrder } from '../../hooks/useRefreshOrder.js'
import { type PartProps, useRender } from '../../internal/render.js'
import { createStore, type Store } from '../../internal/store.js'
import { isPaymentSeen } from '../../order/index.js'
import { RootContext, useCheckout } from './RootContext.js'
import { useSteadyError } from './useSteadyError.js'
import { type CheckoutStage, type CheckoutValue, getCheckoutStage } from './value.js'

/** State of {@link CheckoutRoot}. */
export type CheckoutRootState = { stage: CheckoutStage; step: CheckoutValue['step']['status'] }

type RootOptions = PartProps<'section', CheckoutRootState>

type OrderOptions = {
  /** The order to check out. */
  orderId: string
  /** The secret that came with the order. */
  clientSecret?: string | undefined
  value?: never
}

type ValueOptions = {
  /** A checkout the caller owns, in place of an order id. */
  value: CheckoutValue
  orderId?: never
  clientSecret?: never
}

/** Props of {@link CheckoutRoot}. */
export type CheckoutRootProps = RootOptions & (OrderOptions | ValueOptions)

/**
 * Renders a `<section>`. Holds one checkout and hands it to the parts inside; each of them follows only what it
 * shows.
 *
 * @example
 * ```tsx
 * import { Checkout } from 'kassa'
 *
 * export const Panel = (props: { orderId: string; clientSecret: string }) => (
 *   <Checkout.Root {...props}>
 *     <Checkout.Items />
 *     <Checkout.Pay />
 *     <Checkout.Status />
 *   </Checkout.Root>
 * )
 * ```
 */
export function CheckoutRoot(props: CheckoutRootProps): ReactElement {
  // A new order is a new checkout: nothing of the last one may show through.
  return props.value ? <CheckoutScope {...props} /> : <OrderRoot key={props.orderId} {...props} />
}

function OrderRoot({ orderId, clientSecret, value: _, ...props }: RootOptions & OrderOptions) {
  const order = useOrder({ orderId, clientSecret })
  const { step, pay, reset } = usePayOrder({ orderId, clientSecret })
  const refresh = useRefreshOrder({ orderId, clientSecret })
  const readError = useSteadyError(order)
  const value: CheckoutValue = {
    order: order.data,
    // A new price matters to nobody once the order is paid.
    error: readError ?? (order.data && isPaymentSeen(order.data) ? undefined : refresh.error) ?? undefined,
    step,
    pay: (options) => {
      refresh.reset()
      void pay(options)
    },
    reset,
    refresh: () => refresh.mutate(),
    isRefreshing: refresh.isPending,
  }
  return <CheckoutScope {...props} value={value} />
}

/** Adds what a checkout leaves to its Root: the clock, and which quote a failure is about. */
const complete = (value: CheckoutValue, last?: CheckoutValue): CheckoutValue => ({
  ...value,
  nowMs: value.nowMs ?? last?.nowMs,
  failedQuotedAt:
    value.failedQuotedAt ?? (value.step === last?.step ? last.failedQuotedAt : value.order?.quote.quotedAt),
})

function CheckoutScope({ value, ...props }: RootOptions & { value: CheckoutValue }) {
  const [store] = useState(() => createStore(complete(value)))
  useLayoutEffect(() => store.set(complete(value, store.get())))
  const hasDeadline = value.nowMs === undefined && value.order?.phase === 'payment'
  return (
    <RootContext value={store}>
      {hasDeadline && <Clock store={store} />}
      <RootElement {...props} />
    </RootContext>
  )
}

/** Moves the clock of a checkout without rendering anything but the parts that show it. */
function Clock({ store }: { store: Store<CheckoutValue> }) {
  const client = useContext(CheckoutContext)?.client
  const deviceMs = useNow(1000)
  const nowMs = client && deviceMs !== undefined ? getServiceTime(client, deviceMs) : deviceMs
  useLayoutEffect(() => store.set({ ...store.get(), nowMs }), [store, nowMs])
  return null
}

const getRootState = (value: CheckoutValue): CheckoutRootState => ({
  stage: getCheckoutStage(value),
  step: value.step.status,
})

function RootElement(props: RootOptions) {
  return useRender('section', props, useCheckout('Root', getRootState), {})
}
