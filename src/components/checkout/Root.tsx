'use client'

import { useQueryClient } from '@tanstack/react-query'
import { type ReactElement, type ReactNode, useEffect, useMemo, useState } from 'react'
import { apiError } from '../../errors/apiError.js'
import type { AnyKassaError } from '../../errors/index.js'
import { useCheckoutContext } from '../../hooks/checkoutContext.js'
import { useClient } from '../../hooks/useClient.js'
import { useEditOrder } from '../../hooks/useEditOrder.js'
import { useOrder } from '../../hooks/useOrder.js'
import { usePayOrder } from '../../hooks/usePayOrder.js'
import { useRefreshOrder } from '../../hooks/useRefreshOrder.js'
import { type PartProps, useRender } from '../../internal/render.js'
import { createStore, type Store } from '../../internal/store.js'
import { isPaymentSeen } from '../../order/payment.js'
import type { PayOptions } from '../../pay/payOrder.js'
import { orderQueryKey } from '../../query/keys.js'
import type { OrderParameters } from '../../query/order.js'
import type { EditOrderBody, Order } from '../../schema/index.js'
import { keepFocus } from './keepFocus.js'
import { Clock } from './price/Clock.js'
import { AccessContext, useCheckout } from './RootContext.js'
import { Scope } from './Scope.js'
import { type CheckoutStage, type CheckoutValue, getCheckoutStage } from './value.js'

/** An order and its error as last read. */
type Reading = {
  order: Order | undefined
  /** The first of several consecutive errors with the same code. */
  error: AnyKassaError | undefined
}

type QueryState = { data: Order | undefined; error: AnyKassaError | null; status: string }

/**
 * Takes an order and its error from the state of its query. Before the first order arrives, TanStack drops
 * the error at each retry; without this, the same failure would be announced again with every retry.
 */
const read = ({ data, error, status }: QueryState, last?: Reading): Reading => {
  const isSteady = error ? error.code === last?.error?.code : status === 'pending'
  return { order: data, error: isSteady ? last?.error : (error ?? undefined) }
}

/** Follows an order as `useOrder` does, but writes changes to a store instead of rendering. */
const useReading = (parameters: OrderParameters): Store<Reading> => {
  const client = useClient()
  const queryClient = useQueryClient()
  const queryKey = orderQueryKey(client, parameters.orderId)
  const { queryHash } = queryClient.defaultQueryOptions({ queryKey })
  const result = useOrder({ ...parameters, query: { notifyOnChangeProps: [] } })
  const [reading] = useState(() => createStore(read(result)))
  useEffect(() => {
    const cache = queryClient.getQueryCache()
    const update = (state: QueryState): void => reading.set(read(state, reading.get()))
    const known = cache.get<Order, AnyKassaError>(queryHash)
    if (known) update(known.state)
    return cache.subscribe(({ type, query }) => {
      if (type === 'updated' && query.queryHash === queryHash) update(query.state)
    })
  }, [reading, queryClient, queryHash])
  return reading
}

type RootOptions = PartProps<'section', CheckoutRoot.State>

type OrderOptions = {
  /** The id of the order to check out. */
  orderId: string
  /** The secret that came with the order. */
  clientSecret?: string | undefined
  value?: never
}

type ValueOptions = {
  /** A checkout the caller owns, instead of an order id. */
  value: CheckoutValue
  orderId?: never
  clientSecret?: never
}

export declare namespace CheckoutRoot {
  /** State of {@link CheckoutRoot}. */
  export type State = { stage: CheckoutStage; step: CheckoutValue['step']['status'] }

  /** Props of {@link CheckoutRoot}. */
  export type Props = RootOptions & (OrderOptions | ValueOptions)
}

/**
 * Renders a `<section>`. Holds one checkout and provides it to the parts inside. Each part re-renders only
 * for what it shows.
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
export function CheckoutRoot({ orderId, clientSecret, value, ...own }: CheckoutRoot.Props): ReactElement {
  // Created here, so that a change of the checkout does not render them.
  const children = (
    <>
      {value?.nowMs === undefined && <Clock />}
      <RootElement {...own} />
    </>
  )
  return value ? (
    <Scope getValue={() => value}>{children}</Scope>
  ) : (
    // A new order is a new checkout: the key discards all state of the last one.
    <OrderRoot key={orderId} orderId={orderId} clientSecret={clientSecret}>
      {children}
    </OrderRoot>
  )
}

function OrderRoot({ children, ...parameters }: OrderParameters & { children: ReactNode }) {
  const { orderId, clientSecret } = parameters
  const access = useMemo(() => ({ orderId, clientSecret }), [orderId, clientSecret])
  const reading = useReading(parameters)
  const { step, pay, reset } = usePayOrder(parameters)
  const refresh = useRefreshOrder(parameters)
  const edit = useEditOrder(parameters)
  const { attemptStore } = useCheckoutContext('Checkout.Root')
  const [editRefusal, setEditRefusal] = useState<AnyKassaError>()
  const { reset: forgetRefresh, mutate: askPrice } = refresh
  const { reset: forgetEdit, mutate: change } = edit
  // The functions keep their identity across renders; otherwise every part would check for a change.
  const acts = useMemo(
    () => ({
      pay: (options?: PayOptions) => {
        forgetRefresh()
        forgetEdit()
        void pay(options)
      },
      refresh: () => {
        forgetEdit()
        askPrice()
      },
      edit: (body: EditOrderBody) => {
        // Another tab may be paying. An edit would leave its wallet showing an outdated payment. The address of refunds
        // alone changes no payment.
        const isAlone =
          [...Object.keys(body), ...Object.keys(body.payment ?? {})].join() === 'payment,refundAddress'
        const isBusy = !isAlone && attemptStore.list(orderId).length > 0
        setEditRefusal(
          isBusy
            ? apiError('api.conflict', { status: 409, message: 'a payment may be under way' })
            : undefined,
        )
        if (!isBusy) change(body)
      },
    }),
    [forgetRefresh, forgetEdit, pay, askPrice, attemptStore, orderId, change],
  )
  const own = {
    ...acts,
    step,
    reset,
    isRefreshing: refresh.isPending,
    isEditing: edit.isPending,
    editError: editRefusal ?? edit.error ?? undefined,
  }
  const getValue = (): CheckoutValue => {
    const { order, error } = reading.get()
    // The error of a price request is irrelevant once the order is paid.
    const refreshError = order && isPaymentSeen(order) ? undefined : refresh.error
    return { ...own, order, error: error ?? refreshError ?? undefined }
  }
  return (
    <AccessContext value={access}>
      <Scope getValue={getValue} subscribe={reading.subscribe}>
        {children}
      </Scope>
    </AccessContext>
  )
}

const getRootState = (value: CheckoutValue): CheckoutRoot.State => ({
  stage: getCheckoutStage(value),
  step: value.step.status,
})

function RootElement(props: RootOptions) {
  const [ref] = useState(keepFocus)
  return useRender('section', 'root', props, useCheckout('Root', getRootState), { ref })
}
