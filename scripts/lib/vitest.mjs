import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { privateDir, root, stateDir } from './paths.mjs'

/** @typedef {{ passed: number, failed: number }} Tally */

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
 * Runs some of the test projects of vite.config.ts, with vitest's own words on the screen.
 * @param {string} name of this run, for its report
 * @param {string[]} projects
 * @returns {Promise<Tally>}
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
    child.on('close', (code) => resolve(readTally(report, code ?? 1)))
  })
