/** Stands between a page and everything outside it. Once the page is gone, no answer reaches it any more. */
export type Gate = {
  readonly isGone: boolean
  close(): void
  onClose(listener: () => void): void
  /** Asks the outside. What was asked before the page went still happens there; only the answer is lost. */
  ask<Answer>(question: () => Promise<Answer>): Promise<Answer>
}

/** Makes an open gate. */
export const createGate = (): Gate => {
  const listeners: (() => void)[] = []
  let isGone = false
  return {
    get isGone() {
      return isGone
    },
    close: () => {
      if (isGone) return
      isGone = true
      for (const listener of listeners) listener()
    },
    onClose: (listener) => void listeners.push(listener),
    ask: <Answer>(question: () => Promise<Answer>) =>
      new Promise<Answer>((resolve, reject) => {
        if (isGone) return
        question().then(
          (answer) => {
            if (!isGone) resolve(answer)
          },
          (error) => {
            if (!isGone) reject(error)
          },
        )
      }),
  }
}
