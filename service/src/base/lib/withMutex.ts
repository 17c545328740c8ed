const lines = new Map<string, Promise<unknown>>()

/**
 * Runs tasks with the same key one after another, within this process. The database keeps the order between
 * processes, but a caller that waits there holds a connection, so that a popular collection would take them
 * all.
 */
export const withMutex = async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
  const turn = (lines.get(key) ?? Promise.resolve()).then(work)
  const line = turn.catch(() => {})
  lines.set(key, line)
  try {
    return await turn
  } finally {
    if (lines.get(key) === line) lines.delete(key)
  }
}
