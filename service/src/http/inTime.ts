const patienceMs = 2_000

/** What was asked for, or undefined when it failed or is not there within two seconds. */
export const inTime = async <Result>(ask: Promise<Result>): Promise<Result | undefined> => {
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
