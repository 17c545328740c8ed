import { getTransaction, getWallet } from '../api/index.js'
import { toPlainJson } from '../api/plainJson.js'
import { hasTransactionEnded } from '../api/waitForTransaction.js'
import type { Transaction } from '../schema/index.js'
import { approvePending } from './approvePending.js'
import { askHandler } from './askHandler.js'
import type { AttemptStorage } from './attempt.js'
import { createAttemptStore } from './attempt.js'
import { type CreateContext, createOnce } from './createOnce.js'
import type { SigningMeans } from './evm/approval.js'
import { isUnanswered } from './isUnanswered.js'
import { createSendingStore, type SendingStore } from './sendingStore.js'
import { transactionQueryKey } from './transaction.js'
import { type SendingState, type SendParams, toFailure } from './transactionStep.js'

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

/**
 * Gets the current user's wallet, because another user may have signed in without notice. Clears what is
 * stored of another user's wallet.
 *
 * @returns Its address; undefined when another user's wallet was shown and is now cleared.
 */
const findWallet = async ({
  client,
  walletLocator,
  attempts,
  store,
}: SendingContext): Promise<string | undefined> => {
  const { address } = await askHandler(client, getWallet(client, { walletLocator }))
  const kept = attempts.get()
  if (kept && kept.wallet !== address) attempts.clear()
  if (store.wallet === undefined || store.wallet === address) return address
  store.restart()
  return undefined
}

/**
 * Shows a transaction that a reload interrupted, if it belongs to the current wallet. It does not ask for a
 * signature.
 */
const resume = async (context: SendingContext, isIdle: () => boolean): Promise<void> => {
  const { attempts, store } = context
  if (!isIdle() || !attempts.get()) return
  try {
    const wallet = await findWallet(context)
    const attempt = attempts.get()
    if (!isIdle() || !attempt || wallet === undefined || !store.isShown()) return
    store.wallet = wallet
    const { transactionId, params } = attempt
    store.set(
      transactionId === undefined ? { status: 'unanswered', params } : { status: 'created', transactionId },
    )
  } catch {
    // Nothing is shown; the next `send` checks again before it sends.
  }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * Finds the transaction that a repeated click refers to: one in progress, or the same one awaiting approval.
 */
const findOpen = async (context: SendingContext, params: SendParams): Promise<string | undefined> => {
  const { client, walletLocator, attempts, store } = context
  const id = store.getId() ?? attempts.get()?.transactionId
  if (id === undefined) return undefined
  const known = getKnown(context, id) ?? (await getTransaction(client, { walletLocator, transactionId: id }))
  if (known.status !== 'awaiting-approval') return hasTransactionEnded(known) ? undefined : id
  return isSame(attempts.get()?.params, params) ? id : undefined
}

/** Gets a transaction approved, with what is stored of its creation. */
const approve = async (context: SendingContext, id: string, means: SigningMeans): Promise<void> => {
  const { client, queryClient, walletLocator, attempts, store } = context
  const kept = attempts.get()
  const attempt = kept?.transactionId === id ? kept : undefined
  await approvePending(
    { client, queryClient, walletLocator, transactionId: id, means, attempt },
    (signer, isSigned) => store.set({ status: 'approving', transactionId: id, signer, isSigned }),
  )
  store.set({ status: 'created', transactionId: id })
}

/** Creates a transaction, unless a repeated click refers to one, and gets it approved. */
const send = async (context: SendingContext, params: SendParams, means: SigningMeans): Promise<void> => {
  const { store } = context
  if (store.getId() === undefined) store.set({ status: 'creating' })
  const wallet = await findWallet(context)
  if (wallet === undefined) return
  store.wallet = wallet
  const open = await findOpen(context, params)
  if (open !== undefined) return approve(context, open, means)
  store.set({ status: 'creating' })
  const { id } = await createOnce(context, wallet, params)
  store.set({ status: 'created', transactionId: id })
  await approve(context, id, means)
}

/** Clears what is shown, unless it is in progress. */
const reset = (context: SendingContext): void => {
  const { attempts, store } = context
  const open = store.getId()
  const known = open === undefined ? undefined : getKnown(context, open)
  // A pending transaction is kept; otherwise it could be sent again.
  if (known?.status === 'pending') return
  const attempt = attempts.get()
  if (attempt?.transactionId !== undefined) attempts.drop(attempt)
  store.restart()
}

/** Runs one task at a time. The state shows how it failed. */
const createRunner = ({ attempts, store }: SendingContext) => {
  let running: Promise<SendingState> | undefined
  /** The transaction whose approval was sent without an answer. The service may have received it. */
  let lostApproval: string | undefined

  const showFailure = (error: unknown, params: SendParams | undefined): void => {
    const state = store.get()
    const id = store.getId()
    if (state.status === 'approving' && state.isSigned && isUnanswered(error)) lostApproval = id
    const isCreationKnown = params === undefined || attempts.findUnanswered(params) === undefined
    const isApprovalKnown = id === undefined || lostApproval !== id
    store.set({
      status: 'failed',
      error: toFailure(error),
      transactionId: id,
      isOutcomeKnown: isCreationKnown && isApprovalKnown,
    })
  }

  const runner = {
    isRunning: () => running !== undefined,
    /** After the last subscriber leaves, the next one starts again, because it may belong to another user. */
    leave: (): void => {
      if (!running && !store.isShown()) store.restart()
    },
    /** Runs a task, or waits for the one in progress. */
    run: (work: () => Promise<void>, params?: SendParams): Promise<SendingState> => {
      running ??= work()
        .catch((error) => showFailure(error, params))
        .then(() => {
          running = undefined
          const end = store.get()
          runner.leave()
          return end
        })
      return running
    },
  }
  return runner
}

/** Creates the object that sends for one wallet. */
export const createSending = ({ transactionId, name, storage, ...outside }: SendingParameters): Sending => {
  const { client, walletLocator, now } = outside
  const store = createSendingStore(
    transactionId === undefined ? { status: 'idle' } : { status: 'created', transactionId },
    () => runner.leave(),
  )
  const place = `${client.baseUrl} ${walletLocator} ${name ?? ''}`
  const attempts = createAttemptStore(place, now, storage)
  const context: SendingContext = { ...outside, attempts, store }
  const runner = createRunner(context)
  return {
    getState: store.get,
    subscribe: store.subscribe,
    send: async (given, means) => {
      if (transactionId !== undefined)
        throw new TypeError(
          'send cannot be called with a transactionId: that transaction was already created.',
        )
      const params = toPlainJson(given)
      return runner.run(() => send(context, params, means), params)
    },
    approve: (means) =>
      runner.run(async () => {
        const open = store.getId()
        if (open !== undefined) await approve(context, open, means)
      }),
    resume: () => void resume(context, () => store.get().status === 'idle' && !runner.isRunning()),
    settle: (id) => {
      const attempt = attempts.get()
      if (attempt?.transactionId === id) attempts.drop(attempt)
    },
    reset: () => {
      if (!runner.isRunning()) reset(context)
    },
    forget: () => {
      attempts.clear()
      store.restart()
    },
  }
}

/** The dependencies of sending, and the state it changes. */
type SendingContext = CreateContext & { store: SendingStore }

/** Returns a transaction as last read; undefined before the first answer. */
const getKnown = (
  { client, queryClient, walletLocator }: SendingContext,
  transactionId: string,
): Transaction | undefined =>
  queryClient.getQueryData(transactionQueryKey(client, { walletLocator, transactionId }))
