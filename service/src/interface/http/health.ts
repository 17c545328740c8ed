import { sql } from 'drizzle-orm'
import type { Deps } from '#base/deps.js'
import type { Check } from '#base/lib/check.js'
import { withTimeout } from '#base/lib/withTimeout.js'

type State = 'up' | 'down' | 'not-started'

/** The state of this process's parts, by name. It contains no secrets. */
export type Health = {
  status: 'up' | 'down'
  /** `full`: it answers, and its disk has no room. */
  database: State | 'full'
  jobs: State
  /** `unfunded`: the node answers, and the operator's account cannot pay for what a sale needs. */
  chains: Record<string, State | 'unfunded'>
  /** What `kassa-service doctor` prints. Absent until the first diagnosis has ended. */
  checks?: readonly Check[]
}

/** What health asks beside the database and the chains. */
export type HealthParameters = {
  isStarted(chain: string): boolean
  isWorking(): boolean
  /** Whether the disk of the database is full. */
  isDiskFull(): Promise<boolean>
  /** Returns the last diagnosis, if there was one. */
  readChecks?(): Promise<readonly Check[] | undefined>
}

const answers = async (ask: Promise<unknown>): Promise<State> =>
  (await withTimeout(ask.then(() => true))) ? 'up' : 'down'

/** Checks whether the database and every started chain answer. */
export const checkHealth = async (
  { db, chains }: Pick<Deps, 'db' | 'chains'>,
  { isStarted, isWorking, isDiskFull, readChecks = async () => undefined }: HealthParameters,
): Promise<Health> => {
  const [isAnswering, isFull, checks, ...states] = await Promise.all([
    answers(Promise.resolve(db.execute(sql`select 1`))),
    withTimeout(isDiskFull()),
    withTimeout(readChecks()),
    ...chains.enabled.map(async (name): Promise<[string, State]> => {
      const chain = chains.get(name)
      return [name, chain && isStarted(name) ? await answers(chain.getHead()) : 'not-started']
    }),
  ])
  const database = isAnswering === 'up' && isFull ? 'full' : isAnswering
  const jobs = isWorking() ? 'up' : 'down'
  const isPoor = (name: string): boolean =>
    checks?.some((each) => each.name === `operator on ${name}` && each.status === 'failed') ?? false
  const ofChains = states.map(
    ([name, state]) => [name, state === 'up' && isPoor(name) ? 'unfunded' : state] as const,
  )
  const all = [database, jobs, ...ofChains.map(([, state]) => state)]
  const isUp = all.every((state) => state === 'up' || state === 'not-started')
  return {
    status: isUp ? 'up' : 'down',
    database,
    jobs,
    chains: Object.fromEntries(ofChains),
    ...(checks && { checks }),
  }
}

/** Whether this process can take requests, and if not, why. It contains no secrets. */
export type Readiness = {
  status: 'ready' | 'not-ready'
  /** `full`: it answers, and its disk has no room. */
  database: 'up' | 'down' | 'full'
  /** Whether the tables match this build; `ahead` while a newer one is being rolled out. */
  migrations: 'current' | 'behind' | 'ahead' | 'unknown'
  jobs: 'up' | 'down'
  isStopping: boolean
}

/** What checking readiness needs. */
export type ReadinessParameters = {
  readSchemaState(): Promise<'current' | 'behind' | 'ahead'>
  /** Whether the disk of the database is full. */
  isDiskFull(): Promise<boolean>
  isWorking(): boolean
  isStopping(): boolean
}

/**
 * Checks whether this process should receive requests. A chain that is away does not count: otherwise every
 * process would be out at once, although requests that need no chain can be answered. A database that is
 * ahead does not count either, since migrations only add: the old processes serve until the new ones do.
 */
export const checkReadiness = async (parameters: ReadinessParameters): Promise<Readiness> => {
  const [schema, isFull] = await Promise.all([
    withTimeout(parameters.readSchemaState()),
    withTimeout(parameters.isDiskFull()),
  ])
  const isWorking = parameters.isWorking()
  const isStopping = parameters.isStopping()
  const isReady = schema !== undefined && !isFull && schema !== 'behind' && isWorking && !isStopping
  return {
    status: isReady ? 'ready' : 'not-ready',
    database: schema === undefined ? 'down' : isFull ? 'full' : 'up',
    migrations: schema ?? 'unknown',
    jobs: isWorking ? 'up' : 'down',
    isStopping,
  }
}
