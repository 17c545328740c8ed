import type { QueryClient } from '@tanstack/react-query'
import { type Client, getTransaction, getWallet } from '../api/index.js'
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
  /** Clears what is shown, unless something is under way. What was never answered is kept: it may be created. */
  reset(): void
  /** Forgets all, for whoever comes next. */
  forget(): void
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
  /** The address of the wallet that what is shown is of. */
  let shown: string | undefined
  const restart = (): void => {
    shown = undefined
    set(getStart())
  }
  /** What nobody looks at is taken up anew by whoever comes: perhaps another user. */
  const leave = (): void => {
    if (listeners.size === 0 && !running) restart()
  }
  const getId = (): string | undefined => ('transactionId' in state ? state.transactionId : undefined)
  const getKnown = (id: string): Transaction | undefined =>
    queryClient.getQueryData(transactionQueryKey(client, { walletLocator, transactionId: id }))

  const run = (work: () => Promise<void>): Promise<SendingState> => {
    running ??= work()
      .catch((error) => set({ status: 'failed', error: toFailure(error), transactionId: getId() }))
      .then(() => {
        running = undefined
        const end = state
        leave()
        return end
      })
    return running
  }

  const approve = async (id: string, means: SigningMeans): Promise<void> => {
    const kept = attempts.get()
    const attempt = kept?.transactionId === id ? kept : undefined
    const context = { client, queryClient, walletLocator, transactionId: id, means, attempt }
    await approvePending(context, (signer) => set({ status: 'approving', transactionId: id, signer }))
    set({ status: 'created', transactionId: id })
  }

  /**
   * Asks whose the wallet is now: that somebody else has signed in, nobody may have said. What is kept of another's is
   * forgotten.
   *
   * @returns Its address; undefined where another's was shown, which is cleared.
   */
  const findWallet = async (): Promise<string | undefined> => {
    const { address } = await getWallet(client, { walletLocator })
    const kept = attempts.get()
    if (kept && kept.wallet !== address) attempts.clear()
    if (shown === undefined || shown === address) return address
    restart()
    return undefined
  }

  /** What a click means too: a transaction that is on its way, or the same that only waits for its approval. */
  const findOpen = async (params: SendParams): Promise<string | undefined> => {
    const id = getId() ?? attempts.get()?.transactionId
    if (id === undefined) return undefined
    const known = getKnown(id) ?? (await getTransaction(client, { walletLocator, transactionId: id }))
    if (known.status !== 'awaiting-approval') return hasTransactionEnded(known) ? undefined : id
    return isSame(attempts.get()?.params, params) ? id : undefined
  }

  return {
    getState: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        leave()
      }
    },
    send: (given, means) =>
      run(async () => {
        if (transactionId !== undefined) return approve(transactionId, means)
        const params = toPlainJson(given)
        if (getId() === undefined) set({ status: 'creating' })
        const wallet = await findWallet()
        if (wallet === undefined) return
        shown = wallet
        const open = await findOpen(params)
        if (open !== undefined) return approve(open, means)
        set({ status: 'creating' })
        const { id } = await createOnce({ client, queryClient, walletLocator, wallet, attempts }, params)
        set({ status: 'created', transactionId: id })
        await approve(id, means)
      }),
    approve: (means) =>
      run(async () => {
        const open = getId()
        if (open !== undefined) await approve(open, means)
      }),
    resume: () => {
      const isIdle = () => state.status === 'idle' && !running
      if (!isIdle() || !attempts.get()) return
      const takeUp = (wallet: string | undefined): void => {
        const attempt = attempts.get()
        if (!isIdle() || !attempt || wallet === undefined || listeners.size === 0) return
        shown = wallet
        const { transactionId: id, params } = attempt
        set(id === undefined ? { status: 'unanswered', params } : { status: 'created', transactionId: id })
      }
      // Where that fails nothing is shown; the next `send` asks again before it sends.
      void findWallet().then(takeUp, () => undefined)
    },
    settle: (id) => {
      const attempt = attempts.get()
      if (attempt?.transactionId === id) attempts.drop(attempt)
    },
    reset: () => {
      if (running) return
      const open = getId()
      const known = open === undefined ? undefined : getKnown(open)
      // What is on its way is not forgotten, or it would be sent once more.
      if (known?.status === 'pending') return
      const attempt = attempts.get()
      if (attempt?.transactionId !== undefined) attempts.drop(attempt)
      restart()
    },
    forget: () => {
      attempts.clear()
      restart()
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

/** Forgets all that was sent, or was to be, whatever is under way; whoever asks next is given a new start. */
export const forgetSendings = (queryClient: QueryClient): void => {
  const known = sendings.get(queryClient)
  sendings.delete(queryClient)
  for (const sending of known?.values() ?? []) sending.forget()
}
