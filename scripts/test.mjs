import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isChangedSinceBase, readBase } from './lib/changes.mjs'
import { checks, runChecks } from './lib/checks.mjs'
import { privateDir, stateDir } from './lib/paths.mjs'
import { listFailures, runAgain } from './lib/runAgain.mjs'
import { measureFactor } from './lib/speed.mjs'
import { run, say, seconds } from './lib/steps.mjs'
import { runVitest } from './lib/vitest.mjs'

/**
 * @typedef {import('./lib/testReporter.mjs').FileReport} FileReport
 * @typedef {import('./lib/runAgain.mjs').FailedFile} FailedFile
 * @typedef {{ passed: number, failed: string[], files: FailedFile[] }} Outcome what failed for good, in words, and the
 *   test files that failed
 */

/** The shop that tests in a browser buy from. */
const storefront = 'examples/next'

/** What every test imports that opens the shop. */
const browserHelper = 'test/e2e/helpers/browser.ts'

const given = process.argv.slice(2)
const isAll = given.includes('--all')
const isChanged = given.includes('--changed')

/** @returns {Promise<Outcome>} */
const check = async (/** @type {import('./lib/checks.mjs').Check[]} */ list) => ({
  ...(await runChecks(list)),
  files: [],
})

/**
 * How long each test file took.
 * @type {{ name: string, ms: number }[]}
 */
const times = []

/** How many of the slowest files the end of a run names. */
const slowest = 10

/** @returns {Promise<Outcome>} */
const testWith = async (
  /** @type {string} */ name,
  /** @type {string[]} */ projects,
  /** @type {{ env?: Record<string, string>, relatedTo?: readonly string[] | undefined }} */ {
    env = {},
    relatedTo,
  } = {},
) => {
  const { files, errors } = await runVitest(name, projects, {
    // Without it, vitest runs the extended tests too.
    env: isAll || relatedTo ? env : { ...env, KASSA_TEST_SCOPE: 'change' },
    ...(relatedTo ? { relatedTo } : isChanged && { changedSince: readBase() }),
  })
  for (const file of files) times.push({ name: `${file.file} (${file.project})`, ms: file.ms })
  return {
    passed: files.reduce((sum, file) => sum + file.passed, 0),
    failed: errors,
    files: files.filter(({ failures }) => failures.length > 0).map((file) => ({ ...file, env })),
  }
}

/** Everything there is to test, in the order in which a mistake is cheapest to learn of. */
/** @type {Record<string, () => Promise<Outcome>>} */
const phases = {
  types: () => check(checks.types),
  lint: () => check(checks.lint),
  build: () => check(checks.build),
  package: () => check(checks.package),
  tests: () =>
    testWith('tests', [
      'generated',
      'unit',
      'mocked',
      'service',
      'examples',
      'package',
      ...(isAll ? ['wagmi2Pay', 'simulation'] : []),
    ]),
  // A run of its own: the shops that these tests buy from work until it ends.
  dom: () => testWith('dom', ['dom', 'wagmi2', ...(isAll ? ['compiled'] : [])]),
  // Tests open the built shop, so vitest cannot tell that a change of it reaches them. All of them run, the extended
  // ones too.
  browser: () => testWith('browser', ['e2e'], isChanged ? { relatedTo: [browserHelper] } : {}),
  ...(isAll && {
    embedded: () => testWith('embedded', ['service'], { env: { KASSA_TEST_DATABASE: 'embedded' } }),
  }),
}

/** The phases that were asked for; without any, all of them. */
const choosePhases = () => {
  if (!isChanged) return given.filter((word) => !word.startsWith('--'))
  return isChangedSinceBase(storefront) ? ['build', 'tests', 'dom', 'browser'] : ['tests', 'dom']
}

/** Adds to the list of flaky files, with the time of the run. */
const keepFlaky = (/** @type {Awaited<ReturnType<typeof runAgain>>['flaky']} */ flaky) => {
  const path = join(privateDir(join(stateDir, 'test')), 'flaky.json')
  const kept = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : []
  const at = new Date().toISOString()
  writeFileSync(path, `${JSON.stringify([...kept, ...flaky.map((file) => ({ at, ...file }))], null, 2)}\n`)
}

/** Runs every phase, or those named, even after one failed. The last lines count them all. */
await run(async () => {
  const chosen = choosePhases()
  const unknown = chosen.find((name) => !(name in phases))
  if (unknown)
    throw new Error(`There is no test phase ${unknown}; there are ${Object.keys(phases).join(', ')}.`)
  const startedAt = performance.now()
  const factor = await measureFactor()
  process.env.KASSA_TEST_FACTOR = String(factor)
  say(`\nThis machine takes ${factor} times as long as two quiet cores; the limits of tests grow with it.`)
  /** @type {string[]} */
  const summary = []
  /** @type {string[]} */
  const failed = []
  /** @type {FailedFile[]} */
  const failedFiles = []
  let passed = 0
  for (const [name, phase] of Object.entries(phases)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue
    say(`\n${name}`)
    const phaseStartedAt = performance.now()
    const outcome = await phase()
    passed += outcome.passed
    failed.push(...outcome.failed)
    failedFiles.push(...outcome.files)
    const failures =
      outcome.failed.length + outcome.files.reduce((sum, { failures }) => sum + failures.length, 0)
    summary.push(
      `  ${failures === 0 ? '✓' : '✗'} ${name.padEnd(10)} ${outcome.passed} passed, ${failures} failed  ${seconds(performance.now() - phaseStartedAt)}`,
    )
  }
  const again = await runAgain(failedFiles, runVitest)
  failed.push(...again.failed)
  keepFlaky(again.flaky)
  if (failed.length > 0) say(`\nWhat failed:\n\n${failed.join('\n\n')}`)
  if (again.flaky.length > 0)
    say('\nFlaky: failed at first, passed alone. Mend the cause in the next change.')
  for (const { first, second } of again.flaky) {
    say(`\n${listFailures(first).join('\n\n')}`)
    for (const { passed: count, ms } of second) say(`then alone: ${count} passed in ${seconds(ms)}`)
  }
  if (times.length > 1) {
    say('\nThe slowest files, in seconds:')
    for (const { name, ms } of times.toSorted((a, b) => b.ms - a.ms).slice(0, slowest))
      say(`  ${String(Math.round(ms / 1_000)).padStart(4)} ${name}`)
  }
  say(`\n${summary.join('\n')}`)
  for (const { first } of again.flaky) say(`  ~ ${first.file} (${first.project}) is flaky`)
  say(
    `\n${passed} passed, ${failed.length} failed, ${again.flaky.length} flaky, in ${seconds(performance.now() - startedAt)} at factor ${factor}`,
  )
  return failed.length === 0 ? 0 : 1
})
