'use client'
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import type { AnyKassaError, Client } from '../api/index.js'
import { orderQueryKey } from '../query/keys.js'
import { type PaymentOptionsQueryParameters, paymentOptionsQueryOptions } from '../query/paymentOptions.js'
import type { Order, PaymentOptionList } from '../schema/index.js'
import { useCheckoutContext } from './checkoutContext.js'

/** Parameters of {@link usePaymentOptions}. */
export type UsePaymentOptionsParameters<Selected = PaymentOptionList> = Omit<
  PaymentOptionsQueryParameters<Selected>,
  'quotedAt'
>

/** Result of {@link usePaymentOptions}: TanStack Query's own result. */
export type UsePaymentOptionsResult<Selected = PaymentOptionList> = UseQueryResult<Selected, AnyKassaError>

/** Follows the time of the quote of an order that is in the cache, without reading the order. */
const useQuotedAt = (client: Client, orderId: string): string | undefined => {
  const queryClient = useQueryClient()
  const subscribe = useCallback(
    (listener: () => void) =>
      queryClient.getQueryCache().subscribe(({ type }) => {
        // Others happen while a component renders.
        if (type === 'updated') listener()
      }),
    [queryClient],
  )
  const getQuotedAt = () => queryClient.getQueryData<Order>(orderQueryKey(client, orderId))?.quote.quotedAt
  return useSyncExternalStore(subscribe, getQuotedAt, getQuotedAt)
}

/**
 * Lists the ways to pay an unpaid order: each currency on each chain that it may be paid in, its exact price there, the
 * network fee, and whether the payer holds enough for both. The fee is 0 where the shop pays it. `null` is what a chain did not say. It polls nothing: the
 * list is read again when the order is quoted again, or when it is shown after ten seconds.
 *
 * @param parameters - `orderId`, the `clientSecret` that opens it, `payerAddress` (by default the order's payer), and
 * `query` for TanStack's own options.
 * @returns The query's result, unspread; `error` is a {@link KassaError} of any `api.*` code, such as `api.conflict`
 * once a payment was seen.
 * @source answers.md "Revised again"
 * @example
 * ```tsx
 * import { usePaymentOptions } from 'kassa'
 *
 * export function Enough(props: { orderId: string; clientSecret: string; payerAddress: string }) {
 *   const { data = [] } = usePaymentOptions(props)
 *   const enough = data.filter(({ sufficient }) => sufficient)
 *   return enough.map(({ chain, currency, amount }) => (
 *     <p key={`${chain} ${currency}`}>
 *       {amount} {currency} on {chain}
 *     </p>
 *   ))
 * }
 * ```
 */
export const usePaymentOptions = <Selected = PaymentOptionList>(
  parameters: UsePaymentOptionsParameters<Selected>,
): UsePaymentOptionsResult<Selected> => {
  const { client } = useCheckoutContext('usePaymentOptions')
  const quotedAt = useQuotedAt(client, parameters.orderId)
  return useQuery(paymentOptionsQueryOptions(client, { ...parameters, quotedAt }))
}
