import { parseArgs } from 'node:util'
import type { Group } from './group.js'
import { migrateDatabase } from './withDatabase.js'

/** `kassa-service migrate`. */
export const migrate: Group = {
  help: `
  kassa-service migrate
      Bring the database up to date, the job queue's tables too. Twice at once is as good as once.
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
