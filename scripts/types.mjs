import { runTool } from './lib/build.mjs'
import { run, step } from './lib/steps.mjs'
import { checkArguments, tsc, typeProjects } from './lib/types.mjs'

/** Type-checks every part of the repository, and tells of all that fail. */
await run(async () => {
  /** @type {string[]} */
  const failures = []
  for (const project of typeProjects)
    await step(`types of ${project}`, () => runTool(tsc, checkArguments(project))).catch((error) =>
      failures.push(error.message),
    )
  if (failures.length > 0) throw new Error(failures.join('\n'))
})
