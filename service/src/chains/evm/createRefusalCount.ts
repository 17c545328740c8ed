/** What nodes refuse however often they are asked, in their words: they share no code. */
const lasting = [
  /exceeds the configured cap/i,
  /oversized data/i,
  /exceeds block gas limit|gas limit too high|gas limit is too high|exceeds max(?:imum)? transaction gas limit/i,
  /intrinsic gas too low|floor data gas/i,
]

/** How often a node has to refuse a transaction for good before it is believed. */
const mostRefusals = 5

/** Counts how often the node has refused a transaction for a reason that does not pass. */
export const createRefusalCount = () => {
  const counts = new Map<string, { count: number; reason: string }>()
  return {
    /** Notes what the node said to one sending. */
    note: (txId: string, reason: string): void => {
      if (!lasting.some((words) => words.test(reason))) return
      counts.set(txId, { count: (counts.get(txId)?.count ?? 0) + 1, reason })
    },
    /** Forgets a transaction that the node has taken. */
    clear: (txId: string): void => {
      counts.delete(txId)
    },
    /** Why the node will never take a transaction, once it has said so often enough. */
    find: (txId: string): string | undefined => {
      const known = counts.get(txId)
      return known && known.count >= mostRefusals ? `the node refuses it: ${known.reason}` : undefined
    },
  }
}
