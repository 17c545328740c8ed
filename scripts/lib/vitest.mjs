import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { privateDir, root, stateDir } from './paths.mjs'

/**
 * @typedef {import('./testReporter.mjs').FileReport} FileReport
 * @typedef {import('./testReporter.mjs').Report} Report
 */

/**
 * Reads the report of a run. A run that wrote none, ran nothing, or ended badly though every file passed, has failed.
 * @param {string} path
 * @param {number} status
 * @param {boolean} [mayBeEmpty] whether there may be nothing to run
 * @returns {Report}
 */
export const readReport = (path, status, mayBeEmpty = false) => {
  /** @type {Report} */
  let report
  try {
    report = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    if (mayBeEmpty && status === 0) return { files: [], errors: [] }
    return { files: [], errors: [`vitest wrote no report and ended with status ${status}`] }
  }
  const { files, errors } = report
  if (files.length === 0 && errors.length === 0 && !mayBeEmpty) errors.push('vitest ran no test')
  if (status !== 0 && errors.length === 0 && files.every(({ failures }) => failures.length === 0))
    errors.push(`vitest ended with status ${status} though every test passed`)
  return report
}

/**
 * @typedef {object} RunOptions
 * @property {readonly string[]} [files] to run these alone
 * @property {readonly string[]} [relatedTo] to run the files that import one of these
 * @property {boolean} [bail] to end at the first test that fails
 * @property {string | undefined} [changedSince] to run the files that the changes since a commit reach
 * @property {Record<string, string>} [env]
 */

/**
 * Runs tests with vitest, whose own output goes to the screen.
 * @param {string} name of this run, for its report
 * @param {readonly string[]} projects of vite.config.ts
 * @param {RunOptions} [options]
 * @returns {Promise<Report>}
 */
export const runVitest = (name, projects, { files = [], relatedTo, bail = false, changedSince, env } = {}) =>
  new Promise((resolve, reject) => {
    const path = join(privateDir(join(stateDir, 'test')), `${name}.json`)
    rmSync(path, { force: true })
    const child = spawn(
      process.execPath,
      [
        join(root, 'node_modules/vitest/vitest.mjs'),
        ...(relatedTo ? ['related', '--run', ...relatedTo] : ['run', ...files]),
        ...projects.flatMap((project) => ['--project', project]),
        ...(bail ? ['--bail=1'] : []),
        ...(changedSince === undefined ? [] : ['--changed', changedSince, '--passWithNoTests']),
        '--reporter=default',
        '--reporter=./scripts/lib/testReporter.mjs',
      ],
      {
        cwd: root,
        stdio: ['ignore', 'inherit', 'inherit'],
        env: { ...process.env, ...env, CI: 'true', KASSA_TEST_REPORT: path },
      },
    )
    child.on('error', reject)
    child.on('close', (code) => resolve(readReport(path, code ?? 1, changedSince !== undefined)))
  })
