/**
 * Awaits a promise for a limited time.
 *
 * @throws The error from `onLate` after the timeout.
 */
export const withTimeout = <Value>(
  milliseconds: number,
  promise: Promise<Value>,
  onLate: () => unknown,
): Promise<Value> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(onLate()), milliseconds)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
