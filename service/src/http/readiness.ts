import { withTimeout } from './withTimeout.js'

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
