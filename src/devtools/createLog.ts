const limit = 200

/** A list that keeps only the newest records, numbered consecutively. */
export type Log<Entry> = {
  add(entry: Entry): void
  /** Returns the records, the oldest first. Each record creates a new list. */
  list(): (Entry & { id: number })[]
}

/** Creates a log that keeps the last 200 records. */
export const createLog = <Entry extends object>(): Log<Entry> => {
  let entries: (Entry & { id: number })[] = []
  let count = 0
  return {
    add: (entry) => {
      count += 1
      entries = [...entries.slice(1 - limit), { ...entry, id: count }]
    },
    list: () => entries,
  }
}
