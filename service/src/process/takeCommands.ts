import type { Environment } from '../cli/group.js'
import { runCli } from '../cli/runCli.js'
import { serveCommands } from '../cli/serveCommands.js'
import type { Deps } from '../deps.js'

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
