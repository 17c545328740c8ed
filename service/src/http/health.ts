import { sql } from 'drizzle-orm'
import type { Deps } from '../deps.js'
import { withTimeout } from './withTimeout.js'

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
