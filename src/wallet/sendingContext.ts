import type { Transaction } from '../schema/index.js'
import type { CreateContext } from './createOnce.js'
import type { SendingStore } from './sendingStore.js'
import { transactionQueryKey } from './transaction.js'

/** What sending needs from outside, and the state that it moves. */
export type SendingContext = CreateContext & { store: SendingStore }

/** A transaction as it was last read; undefined before the first answer. */
export const getKnown = (
  { client, queryClient, walletLocator }: SendingContext,
  transactionId: string,
): Transaction | undefined =>
  queryClient.getQueryData(transactionQueryKey(client, { walletLocator, transactionId }))
