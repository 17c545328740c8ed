type Listener = (payload: unknown) => void

/** The EIP-1193 events of a wallet: its listeners and how to emit to them. */
export type WalletEvents = {
  on(event: string, listener: Listener): void
  removeListener(event: string, listener: Listener): void
  emit(event: string, payload: unknown): void
}

/** Creates a wallet's event emitter. */
export const createEvents = (): WalletEvents => {
  const listeners = new Map<string, Set<Listener>>()
  return {
    on: (event, listener) => {
      const known = listeners.get(event) ?? new Set()
      listeners.set(event, known.add(listener))
    },
    removeListener: (event, listener) => void listeners.get(event)?.delete(listener),
    emit: (event, payload) => {
      for (const listener of [...(listeners.get(event) ?? [])]) listener(payload)
    },
  }
}
