import { checks, runChecks } from './lib/checks.mjs'
import { run, say, seconds } from './lib/steps.mjs'
import { runVitest } from './lib/vitest.mjs'

/** @typedef {import('./lib/vitest.mjs').Tally} Tally */

/** Everything there is to test, in the order in which a mistake is cheapest to learn of. */
/** @type {Record<string, () => Promise<Tally & { failures?: string[] }>>} */
const phases = {
  types: () => runChecks(checks.types),
  lint: () => runChecks(checks.lint),
  build: () => runChecks(checks.build),
  package: async () => {
    const told = await runChecks(checks.package)
    const tested = await runVitest('package', ['package'])
    return { ...tested, passed: told.passed + tested.passed, failed: told.failed + tested.failed }
  },
  tests: () =>
    runVitest('tests', ['unit', 'mocked', 'dom', 'compiled', 'types', 'service', 'examples', 'simulation']),
  stories: () => runVitest('stories', ['stories']),
  e2e: () => runVitest('e2e', ['e2e']),
}

/** Runs every phase, or those named, even after one failed; the last line counts them all. */
await run(async () => {
  const chosen = process.argv.slice(2)
  const unknown = chosen.find((name) => !(name in phases))
  if (unknown)
    throw new Error(`There is no test phase ${unknown}; there are ${Object.keys(phases).join(', ')}.`)
  /** @type {string[]} */
  const summary = []
  /** @type {string[]} */
  const failures = []
  const total = { passed: 0, failed: 0 }
  for (const [name, phase] of Object.entries(phases)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue
    say(`\n${name}`)
    const startedAt = performance.now()
    const { passed, failed, failures: told = [] } = await phase()
    total.passed += passed
    total.failed += failed
    failures.push(...told)
    summary.push(
      `  ${failed === 0 ? '✓' : '✗'} ${name.padEnd(10)} ${passed} passed, ${failed} failed  ${seconds(performance.now() - startedAt)}`,
    )
  }
  if (failures.length > 0) say(`\nWhat failed, once more:\n\n${failures.join('\n\n')}`)
  say(`\n${summary.join('\n')}\n\n${total.passed} passed, ${total.failed} failed`)
  return total.failed === 0 ? 0 : 1
})
