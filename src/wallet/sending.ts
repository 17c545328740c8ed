import type { QueryClient } from '@tanstack/react-query'
import type { Sending, SendingParameters } from './createSending.js'
import { createSending } from './createSending.js'

const sendings = new WeakMap<QueryClient, Map<string, Sending>>()

/** Returns the sending of a wallet, the same one for every component, hook and function. */
export const getSending = (parameters: SendingParameters): Sending => {
  const { queryClient, client, walletLocator, transactionId, name } = parameters
  const byWallet = sendings.get(queryClient) ?? new Map<string, Sending>()
  sendings.set(queryClient, byWallet)
  const key = JSON.stringify([client.baseUrl, walletLocator, transactionId, name])
  const sending = byWallet.get(key) ?? createSending(parameters)
  byWallet.set(key, sending)
  return sending
}

/** Clears everything that was sent or requested, even in progress. The next caller starts anew. */
export const forgetSendings = (queryClient: QueryClient): void => {
  const known = sendings.get(queryClient)
  sendings.delete(queryClient)
  for (const sending of known?.values() ?? []) sending.forget()
}
