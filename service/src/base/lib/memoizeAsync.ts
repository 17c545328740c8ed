/** Memoizes an async call for a time. Concurrent callers share one call, and a failed call is not kept. */
export const memoizeAsync = <Result>(
  ask: () => Promise<Result>,
  keepMs: number,
  now: () => number,
): (() => Promise<Result>) => {
  let shared: Promise<Result> | undefined
  let answeredAtMs: number | undefined
  return () => {
    const isKept = answeredAtMs === undefined || now() - answeredAtMs < keepMs
    if (shared && isKept) return shared
    answeredAtMs = undefined
    const asked = ask()
    shared = asked
    asked.then(
      () => {
        answeredAtMs = now()
      },
      () => {
        shared = undefined
      },
    )
    return asked
  }
}
