import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Environment } from '../cli/group.js'
import { readCount } from '../cli/readArguments.js'

/** A folder for its owner alone that no repository takes in: the sandbox's keys are in it. */
const makePrivate = (folder: string): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (process.platform !== 'win32') chmodSync(folder, 0o700)
  const ignored = join(folder, '.gitignore')
  if (!existsSync(ignored)) writeFileSync(ignored, '*\n')
}

/** All that a sandbox takes from the environment it is started in: that may be a real deployment's, keys and all. */
const taken = ['KASSA_LOG_LEVEL', 'KASSA_PORT', 'KASSA_SERVER_KEY', 'KASSA_CLIENT_KEY', 'KASSA_ORIGINS']

/**
 * The settings of `kassa-service sandbox`: a database and chains of its own below one folder, open to this machine
 * alone, whatever else this environment is for.
 *
 * @throws {@link UsageError}
 */
export const sandboxSettings = (args: string[], env: Environment): Environment => {
  const { values } = parseArgs({ args, options: { port: { type: 'string' }, data: { type: 'string' } } })
  const port = values.port ?? env.KASSA_PORT ?? '4000'
  readCount('port', port, 1, 65_535)
  const folder = values.data ?? '.kassa'
  makePrivate(folder)
  return {
    // Everything between the keys and the ready line is noise to who tries it out.
    KASSA_LOG_LEVEL: 'warn',
    ...Object.fromEntries(taken.map((name) => [name, env[name]]).filter(([, value]) => value)),
    KASSA_SANDBOX: '1',
    KASSA_ENVIRONMENT: 'staging',
    KASSA_PORT: port,
    KASSA_DATA_DIR: join(folder, 'service'),
  }
}
