import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { privateDir, root, stateDir } from './paths.mjs'

/**
 * @typedef {{ passed: number, failed: number }} Tally
 * @typedef {{ status: string, message?: string, fullName?: string, failureMessages?: string[] | null }} Result
 * @typedef {Result & { name: string, assertionResults: Result[] }} FileResult
 */

/** How much of a failure's own words is repeated: what was expected, and where. */
const longest = 1_500

/**
 * Reads what vitest counted. A run that ended badly without a failed test, or without any test, failed once;
 * a skipped test proves nothing, so it counts as failed.
 * @param {string} report
 * @param {number} status
 * @returns {Tally}
 */
export const readTally = (report, status) => {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
      readFileSync(report, 'utf8'),
    )
    const failed = numFailedTests + numPendingTests + numTodoTests
    return {
      passed: numPassedTests,
      failed: failed === 0 && (status !== 0 || numPassedTests === 0) ? 1 : failed,
    }
  } catch {
    return { passed: 0, failed: 1 }
  }
}

/**
 * Reads what failed, so that it can be said once more at the end of a long output.
 * @param {string} report
 * @returns {string[]} each of one test, or of a file that could not be run
 */
export const readFailures = (report) => {
  /** @type {FileResult[]} */
  let files
  try {
    files = JSON.parse(readFileSync(report, 'utf8')).testResults ?? []
  } catch {
    return ['no report was written']
  }
  return files.flatMap((file) => {
    const failed = file.assertionResults.filter(({ status }) => status !== 'passed')
    const results = failed.length === 0 && file.status === 'failed' ? [file] : failed
    return results.map(({ status, fullName, message, failureMessages }) =>
      [
        `${relative(root, file.name)}${fullName ? ` > ${fullName}` : ''} (${status})`,
        stripVTControlCharacters(failureMessages?.join('\n') || message || '').slice(0, longest),
      ]
        .join('\n')
        .trim(),
    )
  })
}

/**
 * Runs some of the test projects of vite.config.ts, with vitest's own words on the screen.
 * @param {string} name of this run, for its report
 * @param {string[]} projects
 * @returns {Promise<Tally & { failures: string[] }>}
 */
export const runVitest = (name, projects) =>
  new Promise((resolve, reject) => {
    const report = join(privateDir(join(stateDir, 'test')), `${name}.json`)
    rmSync(report, { force: true })
    const child = spawn(
      process.execPath,
      [
        join(root, 'node_modules/vitest/vitest.mjs'),
        'run',
        ...projects.flatMap((project) => ['--project', project]),
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${report}`,
      ],
      { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, CI: 'true' } },
    )
    child.on('error', reject)
    child.on('close', (code) => resolve({ ...readTally(report, code ?? 1), failures: readFailures(report) }))
  })
