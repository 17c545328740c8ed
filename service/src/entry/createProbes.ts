import { isDiskFull, runWatching } from '#base/db/diskState.js'
import type { Check } from '#base/lib/check.js'
import { memoizeAsync } from '#base/lib/memoizeAsync.js'
import { checkHealth, checkReadiness, type Health, type Readiness } from '#interface/http/health.js'
import { diagnose } from './diagnose.js'
import type { OpenService } from './openService.js'

/** What a process says of itself, however often it is asked. */
export type Probes = {
  /** Whether the node of a chain runs, which a local one does from its first use on. */
  isStarted(chain: string): boolean
  checkReadiness(): Promise<Readiness>
  checkHealth(): Promise<Health>
  /** Examines the deployment, as `kassa-service doctor` does. */
  examine(): Promise<readonly Check[]>
}

/** The shortest intervals between queries of health, looks at the disk of the database, and diagnoses. */
const healthMs = 1_000
const diskMs = 10_000
const diagnosisMs = 60_000

/** Creates the probes of a process. */
export const createProbes = (
  { deps, database, jobs, readSchemaState }: OpenService,
  isStopping: () => boolean,
): Probes => {
  const isStarted = (name: string): boolean => deps.chains.get(name)?.isStarted() ?? true
  const isWorking = () => jobs.isRunning
  const isFull = memoizeAsync(() => isDiskFull(runWatching(database.watchSql)), diskMs, Date.now)
  let checks: readonly Check[] | undefined
  const examine = memoizeAsync(
    async () => {
      checks = await diagnose(deps)
      return checks
    },
    diagnosisMs,
    Date.now,
  )
  /** A diagnosis takes seconds, so health shows the last one meanwhile. */
  const readChecks = async () => {
    const newer = examine()
    newer.catch((err) => deps.log.warn({ err }, 'the deployment could not be diagnosed'))
    return checks ?? newer
  }
  return {
    isStarted,
    checkReadiness: () => checkReadiness({ isWorking, isDiskFull: isFull, isStopping, readSchemaState }),
    checkHealth: memoizeAsync(
      () => checkHealth(deps, { isStarted, isWorking, isDiskFull: isFull, readChecks }),
      healthMs,
      Date.now,
    ),
    examine,
  }
}
