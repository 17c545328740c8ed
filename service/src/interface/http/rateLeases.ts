import type { Pool } from 'pg'

/** Where the processes of a deployment count the requests of a minute together. */
export type CountStore = {
  /** Counts requests, and returns all that were counted in this window, and when it ends. */
  add(key: string, count: number, nowMs: number): Promise<{ counted: number; endsAtMs: number }>
  /** Takes back counted requests, unless the window in which they were counted has ended. */
  remove(key: string, count: number, endsAtMs: number): Promise<void>
}

const windowMs = 60_000
const cleanEveryMs = 5 * 60_000

/** Counts in PostgreSQL. A window begins with the first request after the end of the last. */
export const createPostgresCounts = (pool: Pool): CountStore => {
  let cleanedAtMs = 0
  const clean = async (nowMs: number): Promise<void> => {
    if (nowMs - cleanedAtMs < cleanEveryMs) return
    cleanedAtMs = nowMs
    await pool.query('delete from rate_limits where expire < $1', [nowMs - windowMs])
  }
  return {
    add: async (key, count, nowMs) => {
      await clean(nowMs)
      const { rows } = await pool.query<{ points: number; expire: string }>({
        text: `insert into rate_limits as counted (key, points, expire) values ($1, $2, $3)
          on conflict (key) do update set
            points = case when counted.expire <= $4 then $2 else counted.points + $2 end,
            expire = case when counted.expire <= $4 then $3 else counted.expire end
          returning points, expire`,
        values: [key, count, nowMs + windowMs, nowMs],
      })
      const [row] = rows
      if (!row) throw new Error('requests were not counted')
      return { counted: row.points, endsAtMs: Number(row.expire) }
    },
    remove: async (key, count, endsAtMs) => {
      await pool.query({
        text: 'update rate_limits set points = points - $2 where key = $1 and expire = $3',
        values: [key, count, endsAtMs],
      })
    },
  }
}

/** Counts in memory, for a process that shares its database with no other. */
export const createMemoryCounts = (): CountStore => {
  const counts = new Map<string, { counted: number; endsAtMs: number }>()
  return {
    add: async (key, count, nowMs) => {
      const known = counts.get(key)
      const isOpen = known && nowMs < known.endsAtMs
      const next = isOpen
        ? { ...known, counted: known.counted + count }
        : { counted: count, endsAtMs: nowMs + windowMs }
      if (!isOpen) counts.delete(key)
      counts.set(key, next)
      // Windows are kept in the order of their ends.
      for (const [oldest, { endsAtMs }] of counts) {
        if (nowMs < endsAtMs) break
        counts.delete(oldest)
      }
      return next
    },
    remove: async (key, count, endsAtMs) => {
      const known = counts.get(key)
      if (known?.endsAtMs === endsAtMs) known.counted -= count
    },
  }
}

/** A part of an allowance that this process has counted already and may use up without asking. */
type Lease = {
  left: number
  /** What is left of the allowance beside this lease, as far as this process knows. */
  elsewhere: number
  endsAtMs: number
  /** Until when an allowance without rest is not asked for again. */
  askAgainAtMs: number
}

/** The allowed and remaining requests, and when the allowance is reset. */
export type Allowance = { isAllowed: boolean; limit: number; remaining: number; resetSeconds: number }

/** The leases of one limit, by the key that requests count against. */
export type RateLeases = {
  /** Counts a request. */
  count(key: string): Promise<Allowance>
  /** Takes back a request that was counted. */
  giveBack(key: string): Promise<void>
}

/** A lease is at most this part of what is left, so that idle processes hold back little. */
const leasedPart = 1 / 20
const maxLeases = 50_000
const askAgainMs = 1_000

const sizeOf = (remaining: number): number => Math.max(1, Math.floor(remaining * leasedPart))

/**
 * Counts requests against a limit per minute, which all processes share. A process counts several requests in advance
 * and then uses them up in memory, so that most requests need no statement. The processes together never allow more
 * than the limit.
 */
export const createRateLeases = (
  { name, limit, store }: { name: string; limit: number; store: CountStore },
  now: () => number,
): RateLeases => {
  const leases = new Map<string, Lease>()
  const asking = new Map<string, Promise<void>>()

  const ask = async (key: string): Promise<void> => {
    const nowMs = now()
    const known = leases.get(key)
    const isOpen = known && nowMs < known.endsAtMs
    const wanted = sizeOf(isOpen ? known.elsewhere : limit)
    const { counted, endsAtMs } = await store.add(`${name}:${key}`, wanted, nowMs)
    const granted = Math.min(wanted, Math.max(0, limit - (counted - wanted)))
    if (granted < wanted) await store.remove(`${name}:${key}`, wanted - granted, endsAtMs)
    // A request may have been given back meanwhile.
    const current = leases.get(key)
    const left = granted + (current?.endsAtMs === endsAtMs ? current.left : 0)
    leases.delete(key)
    leases.set(key, {
      left,
      elsewhere: Math.max(0, limit - counted),
      endsAtMs,
      askAgainAtMs: granted ? 0 : nowMs + askAgainMs,
    })
    const [oldest] = leases.keys()
    if (leases.size > maxLeases && oldest !== undefined) leases.delete(oldest)
  }

  const describe = (isAllowed: boolean, { left, elsewhere, endsAtMs }: Lease): Allowance => ({
    isAllowed,
    limit,
    remaining: left + elsewhere,
    resetSeconds: Math.max(1, Math.ceil((endsAtMs - now()) / 1000)),
  })

  return {
    count: async (key) => {
      for (;;) {
        const lease = leases.get(key)
        const nowMs = now()
        if (lease && nowMs < lease.endsAtMs) {
          if (lease.left > 0) {
            lease.left--
            return describe(true, lease)
          }
          if (nowMs < lease.askAgainAtMs) return describe(false, lease)
        }
        const asked = asking.get(key) ?? ask(key).finally(() => asking.delete(key))
        asking.set(key, asked)
        await asked
      }
    },
    giveBack: async (key) => {
      const lease = leases.get(key)
      if (!lease || now() >= lease.endsAtMs) return
      lease.left++
      const surplus = lease.left - sizeOf(lease.elsewhere)
      if (surplus <= 0) return
      lease.left -= surplus
      lease.elsewhere += surplus
      await store.remove(`${name}:${key}`, surplus, lease.endsAtMs)
    },
  }
}
