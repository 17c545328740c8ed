/**
 * Waits for a promise, but not for ever.
 *
 * @throws What `onLate` makes, once the time is over.
 */
export const within = <Value>(
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
