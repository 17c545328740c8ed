import { parseArgs } from 'node:util'
import type { Group } from './group.js'
import { withNewDatabase } from './withDatabase.js'

/** `kassa migrate`. */
export const migrate: Group = {
  help: `
  kassa migrate
      Bring the database up to date.
`,
  commands: {
    '': async (args, context) => {
      parseArgs({ args })
      await withNewDatabase(context, async () => context.err('The database is up to date.\n'))
      return 0
    },
  },
}
