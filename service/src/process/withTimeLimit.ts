import { setTimeout as sleep } from 'node:timers/promises'

/** Limits how long a step of the end may take. The next process can redo what it leaves undone. */
export const withTimeLimit =
  (end: () => Promise<void>) =>
  (patienceMs: number): Promise<void> =>
    Promise.race([end(), sleep(patienceMs, undefined, { ref: false })])
