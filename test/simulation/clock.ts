import { setTimeout as pause } from 'node:timers/promises'

/**
 * The time of one simulated buyer. It stands still while anything real is being worked out, a request or a block,
 * so that what comes before what depends on the seed and not on how busy the machine is.
 */
export type Clock = {
  now(): number
  sleep(ms: number): Promise<void>
  /** Stops the time until the work is done. */
  during<Result>(work: () => Promise<Result>): Promise<Result>
  stop(): void
}

type Timer = { dueMs: number; wake(): void }

const stepMs = 5

/** Starts a clock at zero. It never runs faster than the real one. */
export const createClock = (): Clock => {
  const timers: Timer[] = []
  let nowMs = 0
  let atWork = 0
  let isStopped = false
  let goOn = (): void => {}

  const findNext = (): Timer | undefined =>
    timers.reduce<Timer | undefined>(
      (first, timer) => (first && first.dueMs <= timer.dueMs ? first : timer),
      undefined,
    )

  const run = async (): Promise<void> => {
    while (!isStopped) {
      const next = findNext()
      if (atWork || !next) {
        await new Promise<void>((resolve) => {
          goOn = resolve
        })
        // A caller that has just received an answer acts on it before the time advances.
        await pause(1)
      } else if (next.dueMs > nowMs) {
        const passedMs = Math.min(stepMs, next.dueMs - nowMs)
        await pause(passedMs)
        nowMs += passedMs
      } else {
        timers.splice(timers.indexOf(next), 1)
        next.wake()
        await pause(1)
      }
    }
  }
  void run()

  return {
    now: () => nowMs,
    sleep: (ms) =>
      new Promise((wake) => {
        timers.push({ dueMs: nowMs + ms, wake })
        goOn()
      }),
    during: async (work) => {
      atWork += 1
      try {
        return await work()
      } finally {
        atWork -= 1
        goOn()
      }
    },
    stop: () => {
      isStopped = true
      goOn()
    },
  }
}
