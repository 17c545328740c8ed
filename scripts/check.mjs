import { build, runTool } from './lib/build.mjs'
import { checks, runChecks } from './lib/checks.mjs'
import { run, say } from './lib/steps.mjs'

/**
 * Everything that can be told of the package without running it: one line per check, all of them even if one
 * fails. `npm test` does the same in its phases.
 */
await run(async () => {
  // Compiling keeps one core busy for as long as the others together.
  const types = runChecks(checks.types)
  const others = runChecks([
    ...checks.lint,
    ['build', () => build(['library', 'service'])],
    ...checks.build.filter(([name]) => name !== 'build'),
    [
      'what `npm run fix` writes',
      () =>
        runTool('vitest/vitest.mjs', [
          'run',
          '--project',
          'generated',
          '--project',
          'unit',
          'generated',
          'test/exports.test.ts',
          'test/schema/readers.test.ts',
        ]),
    ],
    ...checks.package,
  ])
  const tallies = await Promise.all([types, others])
  const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0)
  const failed = tallies.flatMap((tally) => tally.failed)
  say(`\n${passed} passed, ${failed.length} failed`)
  if (failed.length > 0) say('`npm run fix` brings up to date what a program can.')
  return failed.length === 0 ? 0 : 1
})
