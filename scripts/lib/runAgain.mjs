import { say } from './steps.mjs'

/**
 * @typedef {import('./testReporter.mjs').FileReport} FileReport
 * @typedef {FileReport & { env?: Record<string, string> }} FailedFile with the environment that it ran in
 */

/** More failed files than this are no chance, so none of them is run again. */
const maxReruns = 20

/**
 * Lists each test that failed in a file, for people, with what it said when it ran again. The same output stands once.
 * @param {FileReport} first
 * @param {FileReport[]} [second]
 */
export const listFailures = ({ project, file, failures }, second = []) => {
  const failuresAgain = second.flatMap((report) => report.failures)
  const names = new Set([...failures, ...failuresAgain].map(({ name }) => name))
  return [...names].map((name) => {
    const outputs = (/** @type {FileReport['failures']} */ list) =>
      list.filter((failure) => failure.name === name).map(({ message }) => message)
    const once = outputs(failures)
    const again = outputs(failuresAgain).filter((output) => !once.includes(output))
    const title = `${file} (${project})${name ? ` > ${name}` : ''}`
    return [title, ...once, ...(again.length > 0 ? ['\nonce more, alone:', ...again] : [])].join('\n')
  })
}

/**
 * Runs each failed file once more, alone, up to the first test that fails again. A file that passes then is flaky: the
 * run may still be green, and the file is named with what it said at first.
 * @param {FailedFile[]} files
 * @param {typeof import('./vitest.mjs').runVitest} run
 * @returns {Promise<{ flaky: { first: FileReport, second: FileReport[] }[], failed: string[] }>}
 */
export const runAgain = async (files, run) => {
  if (files.length > maxReruns) return { flaky: [], failed: files.flatMap((file) => listFailures(file)) }
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
    else failed.push(...listFailures(first, second.files), ...second.errors)
  }
  return { flaky, failed }
}
