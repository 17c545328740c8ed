import { inTime } from './inTime.js'

/** Whether this process can take requests, and if not, why; nothing secret. */
export type Readiness = {
  status: 'ready' | 'not-ready'
  database: 'up' | 'down'
  /** Whether the tables are those of this build; `ahead` while a newer one is being rolled out. */
  migrations: 'current' | 'behind' | 'ahead' | 'unknown'
  jobs: 'up' | 'down'
  isStopping: boolean
}

/** What readiness is made of. */
export type ReadinessParameters = {
  readSchemaState(): Promise<'current' | 'behind' | 'ahead'>
  isWorking(): boolean
  isStopping(): boolean
}

/**
 * Asks whether this process is to be given requests. A chain that is away does not count: every process would be out at
 * once, and what needs no chain is still answered. Nor does a database that is ahead, since migrations only add: the
 * old processes serve until the new ones do.
 */
export const checkReadiness = async (parameters: ReadinessParameters): Promise<Readiness> => {
  const schema = await inTime(parameters.readSchemaState())
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
