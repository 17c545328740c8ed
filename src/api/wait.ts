/** Starts a timer. A delay too long for the platform, which would fire at once, is capped. */
export const startTimer = (work: () => void, ms: number): ReturnType<typeof setTimeout> =>
  setTimeout(work, Math.min(ms, 2 ** 31 - 1))

/** Waits. An abort by `signal` rejects with the signal's own reason. */
export const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = startTimer(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop)
  })
