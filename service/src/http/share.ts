/**
 * Answers whoever asks with one answer: there is one question at a time, and what it brought is good for a while. One
 * that failed is asked again.
 */
export const share = <Result>(
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
