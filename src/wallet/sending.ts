import type { QueryClient } from '@tanstack/react-query'
import type { SigningMeans } from './approval.js'
import type { AttemptStorage } from './attempt.js'
import type { CreateContext } from './createOnce.js'
import { createSending } from './createSending.js'
import type { SendingState, SendParams } from './transactionStep.js'

/** The sending of transactions: one state that all subscribers share, and the functions that change it. */
export type Sending = {
  getState(): SendingState
  subscribe(listener: () => void): () => void
  /**
   * Creates a transaction and gets it approved. A call during another joins it. The state shows failures.
   * Rejects if it only follows one transaction and cannot send.
   */
  send(params: SendParams, means: SigningMeans): Promise<SendingState>
  /** Gets a transaction that awaits approval approved. A call during another joins it. Never rejects. */
  approve(means: SigningMeans): Promise<SendingState>
  /** Resumes what a reload interrupted. It does not ask for a signature. */
  resume(): void
  /** Forgets a final transaction, so that the next one is new. */
  settle(transactionId: string): void
  /**
   * Clears the state, unless a transaction is in progress. An unanswered attempt is kept, because the service
   * may have created it.
   */
  reset(): void
  /** Clears everything for the next user. */
  forget(): void
}

/** The sending wallet, the name of what it sends, and the dependencies. */
export type SendingParameters = Omit<CreateContext, 'attempts'> & {
  /** Follows only this transaction and sends no other. */
  transactionId?: string | undefined
  name?: string | undefined
  storage?: AttemptStorage | undefined
}

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
