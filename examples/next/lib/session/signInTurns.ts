const windowMs = 60_000

/** How many links one address is sent in a minute, and how many one client may ask for. */
const most = { address: 3, client: 10 } as const

declare global {
  /** When links were asked for, by whom. A shop on several servers counts in its database. */
  var shopSignInTurns: Map<string, number[]> | undefined
}

const getRecent = (turns: Map<string, number[]>, key: string, nowMs: number): number[] =>
  (turns.get(key) ?? []).filter((atMs) => nowMs - atMs < windowMs)

/**
 * Takes one of the few turns that an address and whoever asks have in a minute: nobody's mailbox is to be filled by
 * somebody else, nor by a program.
 *
 * @returns False when there is none left; that does not count as another.
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
