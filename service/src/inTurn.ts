const lines = new Map<string, Promise<unknown>>()

/**
 * Does what has one key one after the other, within this process. The database keeps the order between processes;
 * but whoever waits there holds a connection, and a collection that everybody mints from would take them all.
 */
export const inTurn = async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
  const turn = (lines.get(key) ?? Promise.resolve()).then(work)
  const line = turn.catch(() => {})
  lines.set(key, line)
  try {
    return await turn
  } finally {
    if (lines.get(key) === line) lines.delete(key)
  }
}
