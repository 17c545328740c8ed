const windowMs = 60_000

/** The most links per minute to one address, and from one client. */
const most = { address: 3, client: 10 } as const

declare global {
  /** The times of link requests by address and client. A shop on several servers counts in its database. */
  var shopSignInTurns: Map<string, number[]> | undefined
}

const getRecent = (turns: Map<string, number[]>, key: string, nowMs: number): number[] =>
  (turns.get(key) ?? []).filter((atMs) => nowMs - atMs < windowMs)

/**
 * Consumes one of the link requests that an address and a client have per minute, so that neither a person
 * nor a program can flood a mailbox.
 *
 * @returns False when none is left; such a call does not count.
 */
export const takeSignInTurn = (email: string, client: string, nowMs: number): boolean => {
  globalThis.shopSignInTurns ??= new Map()
  const turns = globalThis.shopSignInTurns
  for (const key of turns.keys()) if (getRecent(turns, key, nowMs).length === 0) turns.delete(key)
  const asked = [
    { key: `address ${email}`, limit: most.address },
    { key: `client ${client}`, limit: most.client },
  ].map(({ key, limit }) => ({ key, limit, recent: getRecent(turns, key, nowMs) }))
  if (asked.some(({ recent, limit }) => recent.length >= limit)) return false
  for (const { key, recent } of asked) turns.set(key, [...recent, nowMs])
  return true
}
