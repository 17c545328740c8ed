import type { QueryClient } from '@tanstack/react-query'
import type { SigningMeans } from './approval.js'
import type { AttemptStorage } from './attempt.js'
import type { CreateContext } from './createOnce.js'
import { createSending } from './createSending.js'
import type { SendingState, SendParams } from './transactionStep.js'

/** What sends: one state that everybody who asks sees, and the ways to move it. */
export type Sending = {
  getState(): SendingState
  subscribe(listener: () => void): () => void
  /**
   * Creates a transaction and has it approved; a call while one is under way joins it. How it fails, the state tells;
   * it rejects where it follows one transaction, and sends no other.
   */
  send(params: SendParams, means: SigningMeans): Promise<SendingState>
  /** Has a transaction approved that waits for it; a call while one is under way joins it. Never rejects. */
  approve(means: SigningMeans): Promise<SendingState>
  /** Takes up what a reload interrupted. It asks nobody to sign. */
  resume(): void
  /** Forgets a transaction that is final: the next one is another. */
  settle(transactionId: string): void
  /** Clears what is shown, unless something is under way. What was never answered is kept: it may be created. */
  reset(): void
  /** Forgets all, for whoever comes next. */
  forget(): void
}

/** Which wallet sends, what tells apart what it sends at once, and what that needs from outside. */
export type SendingParameters = Omit<CreateContext, 'attempts'> & {
  /** Follows this transaction, and sends no other. */
  transactionId?: string | undefined
  name?: string | undefined
  storage?: AttemptStorage | undefined
}

const sendings = new WeakMap<QueryClient, Map<string, Sending>>()

/** What sends for a wallet: the same one for every component, hook and function that asks. */
export const getSending = (parameters: SendingParameters): Sending => {
  const { queryClient, client, walletLocator, transactionId, name } = parameters
  const byWallet = sendings.get(queryClient) ?? new Map<string, Sending>()
  sendings.set(queryClient, byWallet)
  const key = JSON.stringify([client.baseUrl, walletLocator, transactionId, name])
  const sending = byWallet.get(key) ?? createSending(parameters)
  byWallet.set(key, sending)
  return sending
}

/** Forgets all that was sent, or was to be, whatever is under way; whoever asks next is given a new start. */
export const forgetSendings = (queryClient: QueryClient): void => {
  const known = sendings.get(queryClient)
  sendings.delete(queryClient)
  for (const sending of known?.values() ?? []) sending.forget()
}
