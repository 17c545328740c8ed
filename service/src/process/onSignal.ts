/** Terminals and npm each pass the same Ctrl-C on. */
const echoMs = 1_000

/**
 * Does something once when the process is told to stop. Told again, it ends at once.
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
