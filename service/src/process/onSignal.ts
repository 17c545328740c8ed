/** Terminals and npm each forward the same Ctrl-C. */
const echoMs = 1_000

/**
 * Runs a function once when the process is signalled to stop. A second signal ends the process at once.
 *
 * @param nowMs - The clock, in milliseconds.
 */
export const onSignal = (stop: (signal: string) => Promise<number>, nowMs: () => number): void => {
  let firstMs: number | undefined
  const hear = (signal: string) => {
    if (firstMs !== undefined) {
      if (nowMs() - firstMs > echoMs) process.exit(1)
      return
    }
    firstMs = nowMs()
    stop(signal).then((status) => process.exit(status))
  }
  process.on('SIGINT', hear)
  process.on('SIGTERM', hear)
}
