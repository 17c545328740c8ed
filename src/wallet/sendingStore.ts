import type { SendingState } from './transactionStep.js'

/** The state of what is sent, for everybody who shows it. */
export type SendingStore = {
  get(): SendingState
  set(next: SendingState): void
  subscribe(listener: () => void): () => void
  /** Whether anybody shows it. */
  isShown(): boolean
  /** The transaction that is shown, if there is one yet. */
  getId(): string | undefined
  /** The address of the wallet that what is shown is of. */
  wallet: string | undefined
  /** Shows what was shown at first, to whoever comes. */
  restart(): void
}

/**
 * Makes the store of what is sent.
 *
 * @param start - What it begins with.
 * @param onLeave - Called when nobody shows it any more.
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
