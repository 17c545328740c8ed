import { type Query, type QueryFunctionContext, queryOptions } from '@tanstack/react-query'
import { type AnyKassaError, type Client, getTransaction, isKassaError } from '../api/index.js'
import { hasTransactionEnded } from '../api/waitForTransaction.js'
import type { Transaction } from '../schema/index.js'
import { type WalletKey, walletKey } from './keys.js'
import { getTransactionPollInterval } from './pollInterval.js'
import type { ReadOptions, ReadParameters, WalletLocator } from './readOptions.js'

/** The transaction and its wallet. */
export type TransactionQueryParameters<Selected = Transaction> = Omit<
  ReadParameters<Transaction, Selected>,
  'client'
> & {
  walletLocator: WalletLocator
  transactionId: string
  /** A number from 0 to 1 that spreads the polls of many clients. Replaces `Math.random`. */
  random?: (() => number) | undefined
}

/** The state of the requests for one transaction. */
type Line = { failures: number; jitter: number; retryAfterMs?: number | undefined }

const lines = new WeakMap<object, Line>()

const hopeless: readonly (string | undefined)[] = ['api.unauthorized', 'api.forbidden', 'api.not-found']

/** Whether polling a transaction again is pointless. */
export const isHopeless = (error: AnyKassaError | null): boolean => hopeless.includes(error?.code)

/** Returns the key of a transaction in the query cache. */
export const transactionQueryKey = (
  client: Pick<Client, 'baseUrl' | 'publicBaseUrl'>,
  { walletLocator, transactionId }: Pick<TransactionQueryParameters, 'walletLocator' | 'transactionId'>,
) => walletKey('transaction', client, { walletLocator, transactionId })

// A wallet's transaction changes what it holds, so these queries are read again.
const changed: readonly unknown[] = ['wallet-tokens', 'balances', 'transactions', 'credential']

const readTransaction = async (
  client: Client,
  { walletLocator, transactionId, random = Math.random }: TransactionQueryParameters<never>,
  context: QueryFunctionContext<WalletKey>,
): Promise<Transaction> => {
  const query = context.client.getQueryCache().find({ queryKey: context.queryKey, exact: true }) ?? {}
  const failures = (lines.get(query)?.failures ?? 0) + 1
  try {
    const read = await getTransaction(client, { walletLocator, transactionId, signal: context.signal })
    lines.delete(query)
    const known = context.client.getQueryData<Transaction>(context.queryKey)
    if (hasTransactionEnded(read) && !(known && hasTransactionEnded(known)))
      void context.client.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[0] === 'kassa' && changed.includes(queryKey[1]),
      })
    return read
  } catch (error) {
    const asked = isKassaError(error) && 'retryAfterMs' in error.context ? error.context.retryAfterMs : 0
    if (!context.signal.aborted) lines.set(query, { failures, jitter: random(), retryAfterMs: asked })
    throw error
  }
}

const getInterval = (query: Query<Transaction, AnyKassaError, Transaction, WalletKey>): number | false => {
  const { failures, jitter, retryAfterMs } = lines.get(query) ?? { failures: 0, jitter: 0 }
  return getTransactionPollInterval(query.state.data, {
    failures,
    retryAfterMs,
    isHopeless: isHopeless(query.state.error),
    random: jitter,
  })
}

/**
 * Returns the options of the query that follows a transaction until it is final. Then the lists of the
 * wallet's contents are read again.
 */
export const transactionQueryOptions = <Selected = Transaction>(
  client: Client,
  { query, ...parameters }: TransactionQueryParameters<Selected>,
): ReadOptions<Transaction, Selected> =>
  queryOptions<Transaction, AnyKassaError, Selected, WalletKey>({
    // A failed poll shows at once, and the next poll retries with a back-off.
    retry: false,
    staleTime: (followed) => getInterval(followed) || 15_000,
    refetchInterval: getInterval,
    ...query,
    queryKey: transactionQueryKey(client, parameters),
    queryFn: (context) => readTransaction(client, parameters, context),
  })
