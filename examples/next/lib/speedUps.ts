import type { CheckoutEvent } from 'kassa'

/** Records which payments the buyer sped up in the wallet while this page was open. */
export type SpeedUps = {
  /** Receives the checkout's events. */
  hear(event: CheckoutEvent): void
  has(txId: string | undefined): boolean
  subscribe(listener: () => void): () => void
}

/** Creates a record of sped-up payments. */
export const createSpeedUps = (): SpeedUps => {
  const txIds = new Set<string>()
  const listeners = new Set<() => void>()
  return {
    hear: (event) => {
      if (event.type !== 'payment.repriced') return
      txIds.add(event.txId)
      for (const listener of listeners) listener()
    },
    has: (txId) => txId !== undefined && txIds.has(txId),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
