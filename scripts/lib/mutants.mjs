import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './paths.mjs'

/**
 * A change of a source that a test has to notice.
 * @typedef {{ file: string, line: number, before: string, after: string }} Change
 * @typedef {Change & { tests: string[], load(): Record<string, string> | undefined }} Mutant
 * @typedef {Change & { result: 'killed' | 'survived' | 'invalid' }} Outcome
 */

/**
 * Runs tests on sources of which some are replaced.
 * @param {string[]} tests
 * @param {Record<string, string>} replaced text by absolute path
 * @returns {Promise<boolean>} whether all of them pass
 */
const runTests = (tests, replaced) => {
  const folder = mkdtempSync(join(tmpdir(), 'kassa-mutant-'))
  const file = join(folder, 'replaced.json')
  writeFileSync(file, JSON.stringify(replaced))
  return new Promise((resolve, reject) => {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const args = ['run', '--config', 'test/mutation/vitest.config.ts', '--bail', '1', ...tests]
    const env = { ...process.env, KASSA_REPLACED_SOURCES: file }
    const child = spawn(process.execPath, [vitest, ...args], { cwd: root, env, stdio: 'ignore' })
    child.on('error', reject)
    child.on('exit', (status) => {
      rmSync(folder, { recursive: true, force: true })
      resolve(status === 0)
    })
  })
}

/**
 * Runs the tests of each mutant on it.
 * @param {Mutant[]} mutants
 * @param {(text: string) => void} say
 * @returns {Promise<Outcome[]>}
 */
export const runMutants = async (mutants, say) => {
  const tests = [...new Set(mutants.map((mutant) => JSON.stringify(mutant.tests)))]
  for (const some of tests) {
    if (!(await runTests(JSON.parse(some), {}))) throw new Error(`The tests fail without a mutant: ${some}`)
  }
  /** @type {Outcome[]} */
  const outcomes = []
  for (const mutant of mutants) {
    const { file, line, before, after } = mutant
    const replaced = mutant.load()
    const result = !replaced ? 'invalid' : (await runTests(mutant.tests, replaced)) ? 'survived' : 'killed'
    outcomes.push({ file, line, before, after, result })
    say(`${result.padEnd(8)} ${file}:${line}  ${before}  →  ${after || '(removed)'}`)
  }
  return outcomes
}

/**
 * Describes outcomes as a table of files, with the survivors below it.
 * @param {Outcome[]} outcomes
 */
export const formatOutcomes = (outcomes) => {
  const files = [...new Set(outcomes.map(({ file }) => file))]
  /** @param {Outcome[]} some @param {Outcome['result']} result */
  const count = (some, result) => some.filter((one) => one.result === result).length
  /** @param {string} name @param {Outcome[]} some */
  const row = (name, some) => {
    const [killed, survived] = [count(some, 'killed'), count(some, 'survived')]
    const score = killed + survived === 0 ? '-' : `${((100 * killed) / (killed + survived)).toFixed(1)} %`
    return `| ${name} | ${killed + survived} | ${killed} | ${survived} | ${score} |`
  }
  const survivors = outcomes.filter(({ result }) => result === 'survived')
  return [
    '| file | mutants | killed | survived | score |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...files.map((file) =>
      row(
        file,
        outcomes.filter((one) => one.file === file),
      ),
    ),
    row('all', outcomes),
    '',
    ...survivors.map(
      ({ file, line, before, after }) => `survived: ${file}:${line}  ${before}  →  ${after || '(removed)'}`,
    ),
  ].join('\n')
}
