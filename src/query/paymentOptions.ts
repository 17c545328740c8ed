import {
  queryOptions,
  type UndefinedInitialDataOptions,
  type UnusedSkipTokenOptions,
} from '@tanstack/react-query'
import type { AnyKassaError, Client } from '../api/index.js'
import { listPaymentOptions } from '../api/paymentOptions.js'
import type { PaymentOptionList } from '../schema/index.js'
import type { OrderParameters } from './order.js'

/** The order, the secret that opens it, and who would pay. */
export type PaymentOptionsParameters = OrderParameters & {
  /** An address on an EVM chain or on Solana, which decides the chains that are listed. By default the order's payer. */
  payerAddress?: string | undefined
  /** The time of the order's quote, `quote.quotedAt`. The ways to pay are read again when it changes. */
  quotedAt?: string | undefined
}

/** Returns the key of an order's ways to pay in the query cache. It never contains the client secret. */
const paymentOptionsQueryKey = (
  { baseUrl, publicBaseUrl = baseUrl }: Pick<Client, 'baseUrl' | 'publicBaseUrl'>,
  { orderId, payerAddress, quotedAt }: PaymentOptionsParameters,
) => ['kassa', 'payment-options', { baseUrl: publicBaseUrl, orderId, payerAddress, quotedAt }] as const

/** Key of an order's ways to pay in the query cache. */
export type PaymentOptionsQueryKey = ReturnType<typeof paymentOptionsQueryKey>

/** {@link PaymentOptionsParameters}, and TanStack's own options in `query`. */
export type PaymentOptionsQueryParameters<Selected = PaymentOptionList> = PaymentOptionsParameters & {
  query?:
    | Omit<
        UndefinedInitialDataOptions<PaymentOptionList, AnyKassaError, Selected, PaymentOptionsQueryKey>,
        'queryKey' | 'queryFn'
      >
    | undefined
}

/** The result of {@link paymentOptionsQueryOptions}. */
// Derived from `queryOptions`, as that of an order.
export type PaymentOptionsQueryOptions<Selected = PaymentOptionList> = ReturnType<
  typeof queryOptions<PaymentOptionList, AnyKassaError, Selected, PaymentOptionsQueryKey>
> &
  Pick<UnusedSkipTokenOptions<PaymentOptionList, AnyKassaError, Selected, PaymentOptionsQueryKey>, 'queryFn'>

/** About a block of most chains. */
const staleMs = 10_000

/**
 * Returns the options of the query that lists the ways to pay an order, for `useQuery`, prefetching, server rendering
 * and use without React.
 *
 * @param client - The service's client, created by `createClient`.
 * @returns Options that poll nothing. While the order is quoted again, the same payer's last list stays.
 */
export const paymentOptionsQueryOptions = <Selected = PaymentOptionList>(
  client: Client,
  { query, ...parameters }: PaymentOptionsQueryParameters<Selected>,
): PaymentOptionsQueryOptions<Selected> => {
  const { quotedAt: _, ...asked } = parameters
  return queryOptions<PaymentOptionList, AnyKassaError, Selected, PaymentOptionsQueryKey>({
    retry: false,
    staleTime: staleMs,
    placeholderData: (last, lastQuery) => {
      const { orderId, payerAddress } = lastQuery?.queryKey[2] ?? {}
      return orderId === asked.orderId && payerAddress === asked.payerAddress ? last : undefined
    },
    ...query,
    queryKey: paymentOptionsQueryKey(client, parameters),
    queryFn: ({ signal }) => listPaymentOptions(client, { ...asked, signal }),
  })
}
