import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openPglite } from '#adapters/postgres/openPglite.js'
import { parseConfig } from '#base/config/parseConfig.js'
import type { Database } from '#base/db/database.js'
import type { Check } from '#base/lib/check.js'
import { diagnose } from '../diagnose.js'
import { formatJson, formatTable } from './formatTable.js'
import type { CliContext, Group } from './group.js'
import { handOver } from './handOver.js'
import { settingsOf } from './settingsOf.js'
import { withChains } from './withChains.js'
import { withDatabase } from './withDatabase.js'

const describe = (error: unknown): string => (error instanceof Error ? error.message : 'failed')

const line = (name: string, status: Check['status'], text: string): Check => ({ name, status, text })

/** Checks the rest of a deployment whose database cannot be opened, with an empty one in its place. */
const examineWithout = async (
  look: (db: Database) => Promise<Check[]>,
  database: Check,
): Promise<Check[]> => {
  const empty = await openPglite(undefined)
  try {
    const checks = await look(empty.db)
    return checks.flatMap((each) =>
      each.name === 'clock' ? [] : [each.name === 'database' ? database : each],
    )
  } finally {
    await empty.close()
  }
}

/** Checks all there is. What keeps the rest from being checked is a line too. */
const examine = async (context: CliContext): Promise<Check[]> => {
  if (!context.service) {
    try {
      parseConfig(context.env)
    } catch (error) {
      return [line('settings', 'failed', describe(error))]
    }
  }
  const config = settingsOf(context)
  const look = (db: Database) =>
    withChains(context, db, (chains) => diagnose({ config, db, chains, now: Date.now }))
  const isNew = config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'database'))
  if (isNew && !context.service) {
    const text = `there is none yet in ${config.dataDir}: the first start creates it`
    return examineWithout(look, line('database', 'ok', text))
  }
  try {
    return await withDatabase(context, look)
  } catch (error) {
    return examineWithout(look, line('database', 'failed', describe(error)))
  }
}

/** Runs the command in the service that holds the embedded database, if one does. */
const handToService = async (args: string[], context: CliContext): Promise<number | undefined> => {
  if (context.service) return undefined
  const settings = readSettings(context)
  return settings?.databaseUrl === undefined && settings
    ? handOver(settings.dataDir, ['doctor', ...args], context)
    : undefined
}

const readSettings = (context: CliContext) => {
  try {
    return settingsOf(context)
  } catch {
    return undefined
  }
}

/** `kassa-service doctor`. */
export const doctor: Group = {
  help: `
  kassa-service doctor [--json]
      Check the settings, the database, the node of each chain, the operator's account with what a sale costs there,
      e-mails, storage, the public URL and the clock. Each line says ok, or what to do. Nothing is changed. Ends with
      status 1 if something failed. The same is in /health, and for owners in the console.
`,
  // What is wrong with the settings is a line of the result.
  isWithoutDatabase: () => true,
  commands: {
    '': async (args, context) => {
      const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } })
      const status = await handToService(args, context)
      if (status !== undefined) return status
      // Nothing is changed, so nothing is migrated.
      const checks = await examine({ ...context, env: { ...context.env, KASSA_MIGRATE: '0' } })
      const rows = checks.map(({ name, status, text }) => [status, name, text])
      context.out(values.json ? formatJson(checks) : formatTable(rows))
      return checks.some(({ status }) => status === 'failed') ? 1 : 0
    },
  },
}
