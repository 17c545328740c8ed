import { setTimeout as sleep } from 'node:timers/promises'

/** Has something wait no longer than it is told to: what it leaves undone can be done again by the next process. */
export const within =
  (end: () => Promise<void>) =>
  (patienceMs: number): Promise<void> =>
    Promise.race([end(), sleep(patienceMs, undefined, { ref: false })])
