import { say } from './steps.mjs'

/**
 * @typedef {import('./testReporter.mjs').FileReport} FileReport
 * @typedef {FileReport & { env?: Record<string, string> }} FailedFile with the environment that it ran in
 */

/** More failed files than this are no chance, so none of them is run again. */
const maxReruns = 20

/**
 * Returns what failed in a file, for people.
 * @param {FileReport} file
 */
export const describeFailures = ({ project, file, failures }) =>
  failures
    .map(({ name, message }) => `${file} (${project})${name ? ` > ${name}` : ''}\n${message}`)
    .join('\n')

/**
 * Runs each failed file once more, alone. One that passes then is flaky: the run may still be green, and the file is
 * named with what it said at first.
 * @param {FailedFile[]} files
 * @param {typeof import('./vitest.mjs').runVitest} run
 * @returns {Promise<{ flaky: { first: FileReport, second: FileReport[] }[], failed: string[] }>}
 */
export const runAgain = async (files, run) => {
  if (files.length > maxReruns) return { flaky: [], failed: files.map(describeFailures) }
  /** @type {{ first: FileReport, second: FileReport[] }[]} */
  const flaky = []
  /** @type {string[]} */
  const failed = []
  for (const { env, ...first } of files) {
    say(`\nonce more, alone: ${first.file} (${first.project})`)
    const second = await run('again', [first.project], { files: [first.file], ...(env && { env }) })
    const failures = second.files.filter(({ failures }) => failures.length > 0)
    if (second.errors.length === 0 && failures.length === 0) flaky.push({ first, second: second.files })
    else failed.push(describeFailures(first), ...failures.map(describeFailures), ...second.errors)
  }
  return { flaky, failed }
}
