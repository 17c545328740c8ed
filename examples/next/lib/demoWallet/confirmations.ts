/** A payment that the demo wallet asks its owner to confirm. */
export type PaymentRequest = {
  /** A decimal string in units of the currency. */
  amount: string
  currency: string
  network: string
  from: string
  to: string
}

/** Connects the wallet that asks a question to the dialog that shows it. */
export type Confirmations = {
  /** Asks the owner. @returns Whether they confirmed. */
  ask(request: PaymentRequest): Promise<boolean>
  answer(isConfirmed: boolean): void
  get(): PaymentRequest | undefined
  subscribe(listener: () => void): () => void
}

/** Creates a holder for one open question. A new question declines the previous one. */
export const createConfirmations = (): Confirmations => {
  let open: { request: PaymentRequest; resolve: (isConfirmed: boolean) => void } | undefined
  const listeners = new Set<() => void>()
  const set = (next: typeof open): void => {
    open = next
    for (const listener of listeners) listener()
  }
  return {
    ask: (request) =>
      new Promise((resolve) => {
        open?.resolve(false)
        set({ request, resolve })
      }),
    answer: (isConfirmed) => {
      const answered = open
      set(undefined)
      answered?.resolve(isConfirmed)
    },
    get: () => open?.request,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
