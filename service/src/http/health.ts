import { sql } from 'drizzle-orm'
import type { Deps } from '../deps.js'
import { withTimeout } from '../lib/withTimeout.js'

type State = 'up' | 'down' | 'not-started'

/** The state of this process's parts, by name. It contains no secrets. */
export type Health = { status: 'up' | 'down'; database: State; jobs: State; chains: Record<string, State> }

const answers = async (ask: Promise<unknown>): Promise<State> =>
  (await withTimeout(ask.then(() => true))) ? 'up' : 'down'

/** Checks whether the database and every started chain answer. */
export const checkHealth = async (
  { db, chains }: Pick<Deps, 'db' | 'chains'>,
  isStarted: (chain: string) => boolean,
  isWorking: () => boolean,
): Promise<Health> => {
  const [database, ...states] = await Promise.all([
    answers(Promise.resolve(db.execute(sql`select 1`))),
    ...chains.enabled.map(async (name): Promise<[string, State]> => {
      const chain = chains.get(name)
      return [name, chain && isStarted(name) ? await answers(chain.getHead()) : 'not-started']
    }),
  ])
  const jobs = isWorking() ? 'up' : 'down'
  const isDown = [database, jobs, ...states.map(([, state]) => state)].includes('down')
  return { status: isDown ? 'down' : 'up', database, jobs, chains: Object.fromEntries(states) }
}

/** Whether this process can take requests, and if not, why. It contains no secrets. */
export type Readiness = {
  status: 'ready' | 'not-ready'
  database: 'up' | 'down'
  /** Whether the tables match this build; `ahead` while a newer one is being rolled out. */
  migrations: 'current' | 'behind' | 'ahead' | 'unknown'
  jobs: 'up' | 'down'
  isStopping: boolean
}

/** What checking readiness needs. */
export type ReadinessParameters = {
  readSchemaState(): Promise<'current' | 'behind' | 'ahead'>
  isWorking(): boolean
  isStopping(): boolean
}

/**
 * Checks whether this process should receive requests. A chain that is away does not count: otherwise every
 * process would be out at once, although requests that need no chain can be answered. A database that is
 * ahead does not count either, since migrations only add: the old processes serve until the new ones do.
 */
export const checkReadiness = async (parameters: ReadinessParameters): Promise<Readiness> => {
  const schema = await withTimeout(parameters.readSchemaState())
  const isWorking = parameters.isWorking()
  const isStopping = parameters.isStopping()
  const isReady = schema !== undefined && schema !== 'behind' && isWorking && !isStopping
  return {
    status: isReady ? 'ready' : 'not-ready',
    database: schema === undefined ? 'down' : 'up',
    migrations: schema ?? 'unknown',
    jobs: isWorking ? 'up' : 'down',
    isStopping,
  }
}
