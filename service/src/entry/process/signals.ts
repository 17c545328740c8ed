import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '#base/deps.js'
import type { Environment } from '../cli/group.js'
import { runCli } from '../cli/runCli.js'
import { serveCommands } from '../cli/serveCommands.js'

/** Terminals and npm each forward the same Ctrl-C. */
const echoMs = 1_000

/**
 * Runs a function once when the process is signalled to stop. A second signal ends the process at once.
 *
 * @param nowMs - The clock, in milliseconds.
 */
export const onSignal = (stop: (signal: string) => Promise<number>, nowMs: () => number): void => {
  let firstMs: number | undefined
  const hear = (signal: string) => {
    if (firstMs !== undefined) {
      if (nowMs() - firstMs > echoMs) process.exit(1)
      return
    }
    firstMs = nowMs()
    stop(signal).then((status) => process.exit(status))
  }
  process.on('SIGINT', hear)
  process.on('SIGTERM', hear)
}

/** Serves operator commands for the embedded database, which a second process cannot open. */
export const takeCommands = async (deps: Deps, env: Environment): Promise<() => Promise<void>> => {
  if (deps.config.databaseUrl) return async () => {}
  return serveCommands(deps.config.dataDir, (args, output) =>
    runCli(args, { env, service: deps, ...output }),
  ).catch((err: unknown) => {
    deps.log.warn({ err }, 'the command line cannot reach this service')
    return async () => {}
  })
}

/** Limits how long a step of the end may take. The next process can redo what it leaves undone. */
export const withTimeLimit =
  (end: () => Promise<void>) =>
  (patienceMs: number): Promise<void> =>
    Promise.race([end(), sleep(patienceMs, undefined, { ref: false })])
