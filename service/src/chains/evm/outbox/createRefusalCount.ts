/** Permanent refusals, matched by the nodes' words because they share no error code. */
const lasting = [
  /exceeds the configured cap/i,
  /oversized data/i,
  /exceeds block gas limit|gas limit too high|gas limit is too high|exceeds max(?:imum)? transaction gas limit/i,
  /intrinsic gas too low|floor data gas/i,
]

/** How many permanent refusals of a transaction count as final. */
const mostRefusals = 5

/** Counts how often the node has permanently refused a transaction. */
export const createRefusalCount = () => {
  const counts = new Map<string, { count: number; reason: string }>()
  return {
    /** Records the node's reply to a send. */
    note: (txId: string, reason: string): void => {
      if (!lasting.some((words) => words.test(reason))) return
      counts.set(txId, { count: (counts.get(txId)?.count ?? 0) + 1, reason })
    },
    /** Forgets a transaction that the node has accepted. */
    clear: (txId: string): void => {
      counts.delete(txId)
    },
    /** Returns why the node will never accept a transaction, once it has said so often enough. */
    find: (txId: string): string | undefined => {
      const known = counts.get(txId)
      return known && known.count >= mostRefusals ? `the node refuses it: ${known.reason}` : undefined
    },
  }
}
