/** Returns the result of a promise, or `undefined` if it fails or takes more than `patienceMs`, by default two seconds. */
export const withTimeout = async <Result>(
  ask: Promise<Result>,
  patienceMs = 2_000,
): Promise<Result | undefined> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patienceMs)
  })
  try {
    return await Promise.race([ask.catch(() => undefined), late])
  } finally {
    clearTimeout(timer)
  }
}
