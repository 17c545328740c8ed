import type { Transaction } from '../schema/index.js'
import type { CreateContext } from './createOnce.js'
import type { SendingStore } from './sendingStore.js'
import { transactionQueryKey } from './transaction.js'

/** The dependencies of sending, and the state it changes. */
export type SendingContext = CreateContext & { store: SendingStore }

/** Returns a transaction as last read; undefined before the first answer. */
export const getKnown = (
  { client, queryClient, walletLocator }: SendingContext,
  transactionId: string,
): Transaction | undefined =>
  queryClient.getQueryData(transactionQueryKey(client, { walletLocator, transactionId }))
