import { parseSettings } from '#base/config/parseConfig.js'
import { ServiceError } from '#base/errors.js'
import { collections } from './collections.js'
import { consoleAccounts } from './console.js'
import { contracts } from './contracts.js'
import { currencies } from './currencies.js'
import { doctor } from './doctor.js'
import type { CliContext, Command, Group } from './group.js'
import { handOver } from './handOver.js'
import { keys } from './keys.js'
import { ledger } from './ledger.js'
import { links } from './links.js'
import { masterKey } from './masterKey.js'
import { migrate } from './migrate.js'
import { mint } from './mint.js'
import { orders } from './orders.js'
import { pay } from './pay.js'
import { proceeds } from './proceeds.js'
import { projects } from './projects.js'
import { refunds } from './refunds.js'
import { restore } from './restore.js'
import { UsageError } from './UsageError.js'
import { unattributedFunds } from './unattributedFunds.js'
import { webhooks } from './webhooks.js'

const groups: ReadonlyMap<string, Group> = new Map(
  Object.entries({
    doctor,
    migrate,
    projects,
    keys,
    console: consoleAccounts,
    webhooks,
    collections,
    mint,
    links,
    orders,
    refunds,
    proceeds,
    ledger,
    pay,
    'unattributed-funds': unattributedFunds,
    restore,
    currencies,
    contracts,
    'master-key': masterKey,
  }),
)

const starts = `
  kassa-service
      Start the service with the settings of its environment.

  kassa-service sandbox [--port 4000] [--data .kassa] [--chains base-sepolia,solana]
      Start a service for development, with local chains, test money and its own keys, and print its base URL and
      both keys. If the port is in use, it takes the next free one. It stores everything in one folder and ignores
      DATABASE_URL.
`

const settings = `
Commands read the same environment variables as the service, and need only those that they use. If a service runs on
the embedded database, it executes the commands for its data folder (KASSA_DATA_DIR). On PostgreSQL (DATABASE_URL),
commands and any number of services may run at once. Only one process at a time can open a sandbox's local chains, so
stop the service before \`kassa-service ledger\` there.
`

const findGroup = (name: string): Group => {
  const group = groups.get(name)
  if (group) return group
  throw new UsageError(`unknown command ${name}`)
}

/** Returns the help of one group, or of all. */
const helpFor = (name: string | undefined): string => {
  const parts =
    name === undefined ? [starts, ...[...groups.values()].map(({ help }) => help)] : [findGroup(name).help]
  return `kassa-service: run and operate a checkout service\n${parts.join('')}${settings}`
}

const findCommand = (name: string, word: string): { command: Command; length: number } => {
  const commands = new Map(Object.entries(findGroup(name).commands))
  const whole = commands.get('')
  if (whole) return { command: whole, length: 1 }
  const command = commands.get(word)
  if (command) return { command, length: 2 }
  const expected = `expected one of ${[...commands.keys()].join(', ')}`
  throw new UsageError(word ? `unknown command ${word}: ${expected}` : expected)
}

/** Runs a command in the running service, because only one process can open the embedded database. */
const handToService = async (args: string[], context: CliContext): Promise<number | undefined> => {
  if (context.service) return undefined
  const { databaseUrl, dataDir } = parseSettings(context.env)
  return databaseUrl === undefined ? handOver(dataDir, args, context) : undefined
}

const run = async (typed: string[], context: CliContext): Promise<number> => {
  const [name = 'help', word = ''] = typed
  if (name === 'help' || name === '--help' || typed.includes('--help')) {
    context.out(helpFor(name === 'help' ? typed[1] : name === '--help' ? undefined : name))
    return 0
  }
  const { command, length } = findCommand(name, word)
  const args = (await groups.get(name)?.prepare?.(typed)) ?? typed
  const status = groups.get(name)?.isWithoutDatabase?.(word) ? undefined : await handToService(args, context)
  return status ?? command(args.slice(length), context)
}

const isUsage = (error: unknown): boolean =>
  error instanceof UsageError ||
  (error instanceof ServiceError && error.code === 'input-invalid') ||
  (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))

/** Replaces the field names of verbs with the options of the command line. */
const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return 'failed'
  const isField = error instanceof ServiceError && error.code === 'input-invalid'
  return isField ? error.message.replace(/^(?=[a-z][a-z-]*: )/, '--') : error.message
}

/**
 * Runs an operator's command.
 *
 * @returns The exit status: 2 for a usage error, 1 for a failure.
 */
export const runCli = async (args: string[], context: CliContext): Promise<number> => {
  try {
    return await run(args, context)
  } catch (error) {
    const group = groups.has(args[0] ?? '') ? ` ${args[0]}` : ''
    if (!isUsage(error)) {
      context.err(`kassa-service: ${describe(error)}\n`)
      return 1
    }
    context.err(`kassa-service${group}: ${describe(error)}\nSee: kassa-service help${group}\n`)
    return 2
  }
}
