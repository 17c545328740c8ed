import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { createBatch } from '#base/lib/createBatch.js'
import type { JobName } from '#base/ports/jobs.js'

/** A job that this process has started. `claim` identifies the start, and `starts` counts it. */
export type FetchedJob = { id: string; claim: string; data: unknown; starts: number }

/** What a fetch has started, and how long it takes until the next job is due; `undefined` if none is known. */
export type Fetched = { jobs: FetchedJob[]; nextMs: number | undefined }

/**
 * What a runner needs of the queue below it. A fetch that is a poll also tells when a job that another process is
 * working on may be taken over.
 */
export type Queue = {
  fetch(limit: number, isPoll: boolean): Promise<Fetched>
  complete(claim: string): Promise<void>
  /** Returns a job to the queue, to be tried again after a delay and after all jobs that wait now. */
  fail(claim: string, failure: string, delaySeconds: number): Promise<void>
  /** Reports that these jobs are still running. */
  keep(claims: string[]): Promise<void>
  /** Returns unfinished jobs to the queue, for any process to take after a delay. */
  handBack(claims: string[], delayMs: number): Promise<void>
}

type Asked = { name: string; limit: number; isPoll: boolean }
type JobRow = { name: string; id: string; claim: string; data: unknown; starts: number }
/** A job that was started, or when the next job of a queue is due. */
type FetchedRow = JobRow | { name: string; id: null; waitMs: number | null }

/**
 * Starts due jobs of several queues, and tells when the next one of each is due. Rows that another process is fetching
 * are skipped. An abandoned job is due like any other: when it will be is asked once a poll, because it takes a look at
 * all running jobs.
 */
const fetchSql = `
  with asked as materialized (select * from unnest($1::text[], $2::int[]) as asked (name, most)),
  due as materialized (
    select due.id from asked cross join lateral (
      select id from jobs
      where name = asked.name and start_after <= now() and (kept_until is null or kept_until <= now())
      order by priority desc, queued_at, id limit asked.most for update skip locked) as due),
  started as (
    update jobs set starts = starts + 1, claim = gen_random_uuid(),
      kept_until = now() + $3::float8 * interval '1 second'
    from due where jobs.id = due.id
    returning jobs.name, jobs.id, jobs.claim, jobs.data, jobs.starts),
  kept as materialized (
    select name, min(kept_until) as until from jobs
    where $4::boolean and claim is not null and kept_until > now() group by name)
  select name, id, claim, data, starts, null as "waitMs" from started
  union all
  select asked.name, null, null, null, null, extract(epoch from least(
    (select min(start_after) from jobs where jobs.name = asked.name and start_after > now()),
    kept.until) - now())::float8 * 1000
  from asked left join kept on kept.name = asked.name`

/** Opens the queues of a process in the database. What they ask at about the same time is one statement. */
export const openQueues = (
  { executeSql, pool, notices }: OpenDatabase,
  keptSeconds: number,
): ((name: JobName) => Queue) => {
  const fetch = createBatch(async (asked: readonly Asked[]) => {
    const { rows } = await executeSql(fetchSql, [
      asked.map(({ name }) => name),
      asked.map(({ limit }) => limit),
      keptSeconds,
      asked.some(({ isPoll }) => isPoll),
    ])
    return asked.map(({ name }) => {
      const own = (rows as FetchedRow[]).filter((row) => row.name === name)
      const jobs = own.filter((row): row is JobRow => row.id !== null)
      const next = own.find((row) => row.id === null)
      return { jobs, nextMs: next?.waitMs ?? undefined }
    })
  })
  const complete = createBatch(async (claims: readonly string[]) => {
    await executeSql('delete from jobs where claim = any($1::uuid[])', [claims])
    return claims
  })
  const keep = createBatch(async (claims: readonly string[][]) => {
    await executeSql(
      `update jobs set kept_until = now() + $2::float8 * interval '1 second' where claim = any($1::uuid[])`,
      [claims.flat(), keptSeconds],
    )
    return claims
  })
  return (name) => ({
    fetch: (limit, isPoll) => fetch({ name, limit, isPoll }),
    complete: async (claim) => void (await complete(claim)),
    fail: async (claim, failure, delaySeconds) => {
      await executeSql(
        `update jobs set claim = null, kept_until = null, queued_at = now(), failure = $2,
           start_after = now() + $3::float8 * interval '1 second'
         where claim = $1::uuid`,
        [claim, failure, delaySeconds],
      )
    },
    keep: async (claims) => void (await keep(claims)),
    handBack: async (claims, delayMs) => {
      // On the embedded database there is one process at a time: the next one starts when this one has ended.
      const delaySeconds = pool ? delayMs / 1000 : 0
      await executeSql(
        `update jobs set claim = null, kept_until = null, start_after = now() + $2::float8 * interval '1 second'
         where claim = any($1::uuid[])`,
        [claims, delaySeconds],
      )
      notices.tell('jobs', name)
    },
  })
}
