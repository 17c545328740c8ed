type Waiting<Item, Result> = {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * Joins calls that come while an earlier one runs into one call. A call that comes alone runs at once.
 *
 * @param run - Takes the items of several calls, and returns a result for each, in their order.
 */
export const createBatch = <Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): ((item: Item) => Promise<Result>) => {
  const waiting: Waiting<Item, Result>[] = []
  let isRunning = false

  const work = async (): Promise<void> => {
    isRunning = true
    while (waiting.length) {
      const calls = waiting.splice(0)
      try {
        const results = await run(calls.map(({ item }) => item))
        for (const [at, { resolve }] of calls.entries()) resolve(results[at] as Result)
      } catch (error) {
        for (const { reject } of calls) reject(error)
      }
    }
    isRunning = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      // Calls of the same tick run together.
      if (!isRunning) queueMicrotask(() => !isRunning && void work())
    })
}

/**
 * Joins calls as `createBatch` does, and lets each of them fail alone.
 *
 * @param run - Takes the items of several calls, and returns how each of them ended, in their order.
 */
export const createSettledBatch = <Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly PromiseSettledResult<Result>[]>,
): ((item: Item) => Promise<Result>) => {
  const join = createBatch(run)
  return async (item) => {
    const settled = await join(item)
    if (settled.status === 'rejected') throw settled.reason
    return settled.value
  }
}
