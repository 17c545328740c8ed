import type { SendingState } from './transactionStep.js'

/** The state of a sending, shared by all subscribers. */
export type SendingStore = {
  get(): SendingState
  set(next: SendingState): void
  subscribe(listener: () => void): () => void
  /** Whether any component shows it. */
  isShown(): boolean
  /** Returns the id of the shown transaction, if it has one yet. */
  getId(): string | undefined
  /** The address of the wallet of the shown transaction. */
  wallet: string | undefined
  /** Returns to the initial state for the next subscriber. */
  restart(): void
}

/**
 * Creates the store of a sending.
 *
 * @param start - The initial state.
 * @param onLeave - Called when the last subscriber leaves.
 */
export const createSendingStore = (start: SendingState, onLeave: () => void): SendingStore => {
  let state = start
  const listeners = new Set<() => void>()
  const store: SendingStore = {
    wallet: undefined,
    get: () => state,
    set: (next) => {
      state = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) onLeave()
      }
    },
    isShown: () => listeners.size > 0,
    getId: () => ('transactionId' in state ? state.transactionId : undefined),
    restart: () => {
      store.wallet = undefined
      store.set(start)
    },
  }
  return store
}
