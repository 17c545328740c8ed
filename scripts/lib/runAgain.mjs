import { say } from './steps.mjs'

/**
 * @typedef {import('./testReporter.mjs').FileReport} FileReport
 * @typedef {FileReport & { env?: Record<string, string> }} FailedFile with the environment that it ran in
 */

/** More failed files than this are no chance, so none of them is run again. */
const maxReruns = 20

/**
 * Describes each test that failed in one of a file's runs, for people. An output that is the same again stands once.
 * @param {FileReport[]} runs
 */
export const describeFailures = (runs) => {
  /** @type {Map<string, Set<string>>} */
  const outputs = new Map()
  for (const { project, file, failures } of runs)
    for (const { name, message } of failures) {
      const title = `${file} (${project})${name ? ` > ${name}` : ''}`
      outputs.set(title, (outputs.get(title) ?? new Set()).add(message))
    }
  return [...outputs].map(([title, messages]) => `${title}\n${[...messages].join('\n\nonce more, alone:\n')}`)
}

/**
 * Leaves out the tests that did not run because one before them failed.
 * @param {FileReport} file
 */
const leaveOutPending = ({ failures, ...file }) => ({
  ...file,
  failures: failures.filter(({ message }) => message !== 'pending'),
})

/**
 * Runs each failed file once more, alone, up to the first test that fails again. A file that passes then is flaky: the
 * run may still be green, and the file is named with what it said at first.
 * @param {FailedFile[]} files
 * @param {typeof import('./vitest.mjs').runVitest} run
 * @returns {Promise<{ flaky: { first: FileReport, second: FileReport[] }[], failed: string[] }>}
 */
export const runAgain = async (files, run) => {
  if (files.length > maxReruns)
    return { flaky: [], failed: files.flatMap((file) => describeFailures([file])) }
  /** @type {{ first: FileReport, second: FileReport[] }[]} */
  const flaky = []
  /** @type {string[]} */
  const failed = []
  for (const { env, ...first } of files) {
    say(`\nonce more, alone: ${first.file} (${first.project})`)
    const second = await run('again', [first.project], {
      files: [first.file],
      bail: true,
      ...(env && { env }),
    })
    const passes = second.files.every(({ failures }) => failures.length === 0)
    if (second.errors.length === 0 && passes) flaky.push({ first, second: second.files })
    else failed.push(...describeFailures([first, ...second.files.map(leaveOutPending)]), ...second.errors)
  }
  return { flaky, failed }
}
