import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from './paths.mjs'

/**
 * @typedef {import('vitest/node').TestModule} TestModule
 * @typedef {{ name: string, message: string }} Failure
 * @typedef {{ project: string, file: string, ms: number, passed: number, failures: Failure[] }} FileReport
 * @typedef {{ files: FileReport[], errors: string[] }} Report
 */

/** How much of a failure is kept: what was expected, and where. */
const maxLength = 1_500

/**
 * A message stands in the stack too, but not always as it is: Storybook adds a link to it afterwards.
 * @param {readonly { name?: string, message?: string, stack?: string | undefined }[]} errors
 */
const write = (errors) =>
  errors
    .map(({ name = 'Error', message = '', stack = '' }) => {
      const calls = stack.split('\n').filter((line) => line.startsWith('    at '))
      return [`${name}: ${stripVTControlCharacters(message).trim()}`, ...calls].join('\n')
    })
    .map((text) => text.slice(0, maxLength))
    .join('\n')

/**
 * Returns what a file's tests did. A skipped test proves nothing, so it counts as failed. A test that was not reached
 * because one before it failed says nothing more.
 * @param {TestModule} module
 * @returns {FileReport}
 */
const readFile = (module) => {
  const tests = [...module.children.allTests()]
  const hasFailed = tests.some((test) => test.result().state === 'failed')
  const failures = tests.flatMap((test) => {
    const { state, errors } = test.result()
    if (state === 'passed' || (state === 'pending' && hasFailed)) return []
    return [{ name: test.fullName, message: write(errors ?? []) || state }]
  })
  const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors())
  const errors = [...module.errors(), ...suites]
  if (errors.length > 0) failures.push({ name: '', message: write(errors) })
  if (tests.length === 0 && failures.length === 0) failures.push({ name: '', message: 'It has no test.' })
  return {
    project: module.project.name,
    file: relative(root, module.moduleId),
    ms: Math.round(module.diagnostic().duration),
    passed: tests.filter((test) => test.result().state === 'passed').length,
    failures,
  }
}

/**
 * A reporter of vitest that writes a {@link Report} to the path in `KASSA_TEST_REPORT`. It writes after every file, so that a run that breaks off leaves
 * one too: files that were not run have failed in it.
 */
export default class TestReporter {
  /** @type {Map<string, FileReport>} */
  #files = new Map()

  #path = process.env.KASSA_TEST_REPORT ?? ''

  /** @param {readonly { moduleId: string, project: { name: string } }[]} specifications */
  onTestRunStart(specifications) {
    for (const { moduleId, project } of specifications) {
      const failures = [{ name: '', message: 'It was not run.' }]
      this.#files.set(`${project.name} ${moduleId}`, {
        project: project.name,
        file: relative(root, moduleId),
        ms: 0,
        passed: 0,
        failures,
      })
    }
    this.#save([])
  }

  /** @param {TestModule} module */
  onTestModuleEnd(module) {
    this.#files.set(`${module.project.name} ${module.moduleId}`, readFile(module))
    this.#save([])
  }

  /**
   * @param {readonly TestModule[]} modules
   * @param {readonly { message?: string, stack?: string, VITEST_TEST_PATH?: string }[]} unhandled errors of no test
   */
  onTestRunEnd(modules, unhandled) {
    for (const module of modules)
      this.#files.set(`${module.project.name} ${module.moduleId}`, readFile(module))
    /** @type {string[]} */
    const errors = []
    for (const error of unhandled) {
      const path = error.VITEST_TEST_PATH
      const file = [...this.#files.values()].find((one) => path && one.file === relative(root, path))
      if (file) file.failures.push({ name: 'an error that no test caught', message: write([error]) })
      else errors.push(write([error]))
    }
    this.#save(errors)
  }

  /** @param {string[]} errors */
  #save(errors) {
    /** @type {Report} */
    const report = { files: [...this.#files.values()], errors }
    writeFileSync(this.#path, JSON.stringify(report, null, 2))
  }
}
