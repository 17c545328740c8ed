import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Environment } from '../cli/group.js'
import { readCount } from '../cli/readArguments.js'

/**
 * Creates a folder that only its owner can open and that git ignores, because it contains the sandbox's keys.
 */
const makePrivate = (folder: string): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (process.platform !== 'win32') chmodSync(folder, 0o700)
  const ignored = join(folder, '.gitignore')
  if (!existsSync(ignored)) writeFileSync(ignored, '*\n')
}

/**
 * All variables that a sandbox takes from its environment, which may be a real deployment's, including its
 * keys.
 */
const taken = ['KASSA_LOG_LEVEL', 'KASSA_PORT', 'KASSA_SERVER_KEY', 'KASSA_CLIENT_KEY', 'KASSA_ORIGINS']

/**
 * Returns the settings of `kassa-service sandbox`: its own database and chains in one folder, reachable from
 * this machine only, whatever else the environment is for.
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
    // Keeps the output between the keys and the ready line short.
    KASSA_LOG_LEVEL: 'warn',
    ...Object.fromEntries(taken.map((name) => [name, env[name]]).filter(([, value]) => value)),
    KASSA_SANDBOX: '1',
    KASSA_ENVIRONMENT: 'staging',
    KASSA_PORT: port,
    KASSA_DATA_DIR: join(folder, 'service'),
  }
}
