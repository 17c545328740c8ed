import type { Clock } from './clock.js'
import type { Random } from './random.js'

/** Stands between a page and everything outside it. Once the page is gone, no answer reaches it any more. */
export type Gate = {
  readonly isGone: boolean
  close(): void
  onClose(listener: () => void): void
  /**
   * Asks the outside. What was asked before the page went still happens there; only the answer is lost.
   *
   * @param kind - What is asked; how long its answer travels depends on it and on how often it was asked.
   */
  ask<Answer>(kind: string, question: () => Promise<Answer>): Promise<Answer>
}

/** Makes an open gate. */
export const createGate = (clock: Clock, random: Random): Gate => {
  const asked = new Map<string, number>()
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
    ask: <Answer>(kind: string, question: () => Promise<Answer>) =>
      new Promise<Answer>((resolve, reject) => {
        if (isGone) return
        const count = (asked.get(kind) ?? 0) + 1
        asked.set(kind, count)
        const travelMs = random.fork(`${kind} ${count}`).between(1, 20)
        const deliver = async (give: () => void): Promise<void> => {
          await clock.sleep(travelMs)
          if (!isGone) give()
        }
        question().then(
          (answer) => deliver(() => resolve(answer)),
          (error) => deliver(() => reject(error)),
        )
      }),
  }
}
