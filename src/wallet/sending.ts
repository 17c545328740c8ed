import type { QueryClient } from '@tanstack/react-query'
import { type Client, getTransaction } from '../api/index.js'
import { toPlainJson } from '../api/plainJson.js'
import { hasTransactionEnded } from '../api/waitForTransaction.js'
import type { Transaction } from '../schema/index.js'
import type { SigningMeans } from './approval.js'
import { approvePending } from './approvePending.js'
import { type AttemptStorage, createAttemptStore } from './attempt.js'
import { createOnce } from './createOnce.js'
import { transactionQueryKey } from './transaction.js'
import { type SendingState, type SendParams, toFailure } from './transactionStep.js'

/** What sends: one state that everybody who asks sees, and the ways to move it. */
export type Sending = {
  getState(): SendingState
  subscribe(listener: () => void): () => void
  /** Creates a transaction and has it approved; a call while one is under way joins it. Never rejects. */
  send(params: SendParams, means: SigningMeans): Promise<SendingState>
  /** Has a transaction approved that waits for it; a call while one is under way joins it. Never rejects. */
  approve(means: SigningMeans): Promise<SendingState>
  /** Takes up what a reload interrupted. It asks nobody to sign. */
  resume(): void
  /** Forgets a transaction that is final: the next one is another. */
  settle(transactionId: string): void
  /** Clears what is shown, unless something is under way. */
  reset(): void
}

/** Which wallet sends, and what tells apart what it sends at once. */
export type SendingParameters = {
  walletLocator: string
  /** Follows this transaction, and sends no other. */
  transactionId?: string | undefined
  name?: string | undefined
  storage?: AttemptStorage | undefined
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const createSending = (
  queryClient: QueryClient,
  client: Client,
  { walletLocator, transactionId, name, storage }: SendingParameters,
): Sending => {
  const getStart = (): SendingState =>
    transactionId === undefined ? { status: 'idle' } : { status: 'created', transactionId }
  const place = `${client.baseUrl} ${walletLocator} ${name ?? ''}`
  const attempts = createAttemptStore(place, () => Date.now(), storage)
  let state = getStart()
  let running: Promise<SendingState> | undefined
  const listeners = new Set<() => void>()
  const set = (next: SendingState): void => {
    state = next
    for (const listener of listeners) listener()
  }
  const getId = (): string | undefined => ('transactionId' in state ? state.transactionId : undefined)
  const getKnown = (id: string): Transaction | undefined =>
    queryClient.getQueryData(transactionQueryKey(client, { walletLocator, transactionId: id }))

  const run = (work: () => Promise<void>): Promise<SendingState> => {
    running ??= work()
      .catch((error) => set({ status: 'failed', error: toFailure(error), transactionId: getId() }))
      .then(() => {
        running = undefined
        return state
      })
    return running
  }

  const approve = async (id: string, means: SigningMeans): Promise<void> => {
    const context = { client, queryClient, walletLocator, transactionId: id, means }
    await approvePending(context, (signer) => set({ status: 'approving', transactionId: id, signer }))
    set({ status: 'created', transactionId: id })
  }

  /** What a click means too: a transaction that is on its way, or the same that only waits for its approval. */
  const findOpen = async (params: SendParams): Promise<string | undefined> => {
    const id = getId()
    if (id === undefined || id === transactionId) return id
    const known = getKnown(id) ?? (await getTransaction(client, { walletLocator, transactionId: id }))
    if (known.status !== 'awaiting-approval') return hasTransactionEnded(known) ? undefined : id
    return isSame(attempts.get()?.params, params) ? id : undefined
  }

  return {
    getState: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    send: (given, means) =>
      run(async () => {
        const params = toPlainJson(given)
        const open = await findOpen(params)
        if (open !== undefined) return approve(open, means)
        set({ status: 'creating' })
        const { id } = await createOnce({ client, queryClient, walletLocator, attempts }, params)
        set({ status: 'created', transactionId: id })
        await approve(id, means)
      }),
    approve: (means) =>
      run(async () => {
        const open = getId()
        if (open !== undefined) await approve(open, means)
      }),
    resume: () => {
      const attempt = attempts.get()
      if (state.status !== 'idle' || running || !attempt) return
      set(
        attempt.transactionId === undefined
          ? { status: 'unanswered', params: attempt.params }
          : { status: 'created', transactionId: attempt.transactionId },
      )
    },
    settle: (id) => {
      if (attempts.get()?.transactionId === id) attempts.clear()
    },
    reset: () => {
      if (running) return
      const open = getId()
      const known = open === undefined ? undefined : getKnown(open)
      // What is on its way is not forgotten, or it would be sent once more.
      if (known?.status === 'pending') return
      attempts.clear()
      set(getStart())
    },
  }
}

const sendings = new WeakMap<QueryClient, Map<string, Sending>>()

/** What sends for a wallet: the same one for every component, hook and function that asks. */
export const getSending = (
  queryClient: QueryClient,
  client: Client,
  parameters: SendingParameters,
): Sending => {
  const byWallet = sendings.get(queryClient) ?? new Map<string, Sending>()
  sendings.set(queryClient, byWallet)
  const { walletLocator, transactionId, name } = parameters
  const key = JSON.stringify([client.baseUrl, walletLocator, transactionId, name])
  const sending = byWallet.get(key) ?? createSending(queryClient, client, parameters)
  byWallet.set(key, sending)
  return sending
}
