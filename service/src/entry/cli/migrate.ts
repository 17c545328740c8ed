import { parseArgs } from 'node:util'
import type { Group } from './group.js'
import { migrateDatabase } from './withDatabase.js'

/** `kassa-service migrate`. */
export const migrate: Group = {
  help: `
  kassa-service migrate
      Apply the migrations of the database and of the job queue. It is safe to run it twice at once.
`,
  commands: {
    '': async (args, context) => {
      parseArgs({ args })
      await migrateDatabase(context)
      context.err('The database is up to date.\n')
      return 0
    },
  },
}
