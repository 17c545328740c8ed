import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { inDataDir } from '#base/config/inDataDir.js'
import type { CliContext, Environment } from '../cli/group.js'
import { readCount } from '../cli/readArguments.js'
import { runCli } from '../cli/runCli.js'
import { UsageError } from '../cli/UsageError.js'
import { readVersion } from './readVersion.js'

/**
 * Creates a folder that only its owner can open and that git ignores, because it contains the sandbox's keys.
 */
const makePrivate = (folder: string): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (process.platform !== 'win32') chmodSync(folder, 0o700)
  const ignored = join(folder, '.gitignore')
  if (!existsSync(ignored)) writeFileSync(ignored, '*\n')
}

/** How many ports are tried after the one that is asked for. */
const maxTries = 20

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    // Any other failure is left for the service, which names it.
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'EADDRINUSE'))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/**
 * Returns the port that is asked for, or the next one that is free. A sandbox needs half a minute before it listens.
 *
 * @throws {@link UsageError} if none of the next is free.
 */
const findFreePort = async (asked: number): Promise<number> => {
  const last = Math.min(asked + maxTries, 65_535)
  for (let port = asked; port <= last; port++) if (await isFree(port)) return port
  throw new UsageError(`--port: ${asked} is in use, and so are all up to ${last}. Choose another one`)
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
const sandboxSettings = async (
  args: string[],
  env: Environment,
): Promise<{ settings: Environment; notice: string }> => {
  const type = 'string'
  const { values } = parseArgs({ args, options: { port: { type }, data: { type }, chains: { type } } })
  const asked = readCount('port', values.port ?? env.KASSA_PORT ?? '4000', 1, 65_535)
  const port = await findFreePort(asked)
  const notice = port === asked ? '' : `Port ${asked} is in use: the service takes port ${port}.\n`
  const folder = values.data ?? '.kassa'
  inDataDir(folder, () => makePrivate(folder))
  const settings = {
    // Keeps the output between the keys and the ready line short.
    KASSA_LOG_LEVEL: 'warn',
    ...Object.fromEntries(taken.map((name) => [name, env[name]]).filter(([, value]) => value)),
    KASSA_SANDBOX: '1',
    KASSA_ENVIRONMENT: 'staging',
    KASSA_PORT: String(port),
    ...(values.chains !== undefined && { KASSA_CHAINS: values.chains }),
    KASSA_DATA_DIR: join(folder, 'service'),
  }
  return { settings, notice }
}

/** The printed details of a service that accepts requests. */
type Started = {
  url: string
  sandbox: { serverKey: string; clientKey: string; inviteToConsole(): Promise<string> } | undefined
}

/** What the program runs with. `start` runs the service until it is signalled to stop. */
export type ProgramContext = CliContext & {
  pid: number
  start(env: Environment, onReady: (started: Started) => void | Promise<void>): Promise<void>
}

/** Returns a link that opens the console. The service is up, so a failure here must not end the start. */
const describeConsole = async ({ url, sandbox }: Started): Promise<string> => {
  try {
    return `${await sandbox?.inviteToConsole()}, which signs you in once`
  } catch {
    return `${url}/console, without a link to sign in: the database refused to keep one. Start again for one`
  }
}

const describeSandbox = async (started: Started): Promise<string> => {
  const { url, sandbox } = started
  return `
Kassa's sandbox is running: a service with test money, on local chains.

  base URL    ${url}/api
  server key  ${sandbox?.serverKey}   for your server only
  client key  ${sandbox?.clientKey}   for every page on this machine
  for sale    ${url}/sandbox
  mails       ${url}/sandbox/mails, all e-mails that were sent
  console     ${await describeConsole(started)}

An app without a backend needs the base URL and the client key. An app with a backend needs the base URL and the server key.
Press Ctrl-C to stop.
`
}

const isParseError = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')

/**
 * Runs the program: the service, its sandbox, or one operator command.
 *
 * @returns The exit status, or `undefined` while the service runs.
 */
export const runProgram = async (
  args: string[],
  { start, pid, ...context }: ProgramContext,
): Promise<number | undefined> => {
  const [word, ...rest] = args
  const { env, out, err } = context
  try {
    if (word === undefined) {
      await start(env, ({ url }) => out(`${JSON.stringify({ msg: 'ready', url, pid })}\n`))
      return undefined
    }
    if (word === '--version' || word === '-v') {
      out(`${readVersion()}\n`)
      return 0
    }
    if (word !== 'sandbox') return await runCli(args, context)
    if (rest.includes('--help')) return await runCli(['help'], context)
    const { settings, notice } = await sandboxSettings(rest, env)
    out(`${notice}Starting a service, its database and local chains. The first start takes half a minute.\n`)
    await start(settings, async (started) => out(await describeSandbox(started)))
    return undefined
  } catch (error) {
    const isUsage = error instanceof UsageError || isParseError(error)
    err(`kassa-service: ${error instanceof Error ? error.message : 'could not start'}\n`)
    if (isUsage) err('See: kassa-service help\n')
    return isUsage ? 2 : 1
  }
}
