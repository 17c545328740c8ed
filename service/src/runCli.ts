import { contracts } from './cli/contracts.js'
import type { CliContext, Group } from './cli/group.js'
import { keys } from './cli/keys.js'
import { ledger } from './cli/ledger.js'
import { migrate } from './cli/migrate.js'
import { projects } from './cli/projects.js'
import { refunds } from './cli/refunds.js'
import { UsageError } from './cli/UsageError.js'
import { webhooks } from './cli/webhooks.js'
import { ServiceError } from './errors.js'

const groups: ReadonlyMap<string, Group> = new Map(
  Object.entries({ migrate, projects, keys, webhooks, refunds, ledger, contracts }),
)

const settings = `
Settings come from the same environment variables as the service's. The embedded database and a sandbox's local
chains can be opened by one process at a time: stop the service first, or run both on PostgreSQL (DATABASE_URL)
and chains of your own (KASSA_RPC_<CHAIN>).
`

/** The help of the group that was asked, or of all. */
const helpFor = (name = ''): string => {
  const asked = groups.get(name)
  const parts = asked ? [asked] : [...groups.values()]
  return `kassa: operate a checkout service\n${parts.map(({ help }) => help).join('')}${settings}`
}

const run = async (args: string[], context: CliContext): Promise<number> => {
  const [name, word = ''] = args
  if (!name || name === 'help' || args.includes('--help')) {
    context.out(helpFor(name === 'help' ? word : name))
    return 0
  }
  const commands = new Map(Object.entries(groups.get(name)?.commands ?? {}))
  const whole = commands.get('')
  if (whole) return whole(args.slice(1), context)
  const command = commands.get(word)
  if (!command) throw new UsageError(`no command is called ${args.join(' ')}`)
  return command(args.slice(2), context)
}

const isUsage = (error: unknown): boolean =>
  error instanceof UsageError ||
  (error instanceof ServiceError && error.code === 'input-invalid') ||
  (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))

/** What a verb calls a field is an option here. */
const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return 'failed'
  const isField = error instanceof ServiceError && error.code === 'input-invalid'
  return isField ? error.message.replace(/^(?=[a-z]+: )/, '--') : error.message
}

/**
 * Does what the operator asks for on the command line.
 *
 * @returns The exit status.
 */
export const runCli = async (args: string[], context: CliContext): Promise<number> => {
  try {
    return await run(args, context)
  } catch (error) {
    context.err(`kassa: ${describe(error)}\n`)
    if (isUsage(error)) context.err(`\n${helpFor(args[0])}`)
    return 1
  }
}
