/** A loop that repeats one task, with pauses that can be cut short. */
export type WakeableLoop = { wake(): void; stop(): Promise<void> }

/**
 * Starts a loop.
 *
 * @param run - Runs the task once and returns how long to pause, in milliseconds. It must not throw.
 * @returns `stop` waits for the run in progress.
 */
export const startLoop = (run: () => Promise<number>): WakeableLoop => {
  let isStopped = false
  let isAwake = false
  let endPause = () => {}

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const loop = async (): Promise<void> => {
    while (!isStopped) {
      isAwake = false
      const pauseMs = await run()
      if (!isStopped && !isAwake) await pause(pauseMs)
    }
  }

  const ended = loop()
  return {
    wake() {
      isAwake = true
      endPause()
    },
    stop() {
      isStopped = true
      endPause()
      return ended
    },
  }
}
