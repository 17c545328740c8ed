import { createHash } from 'node:crypto'
import { appendFileSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { strykerPlugins as vitestPlugins } from '@stryker-mutator/vitest-runner'

const {
  KASSA_MUTATION_SHARE: share = '1',
  KASSA_MUTATION_SEED: seed = '1',
  KASSA_MUTATION_RESULTS,
} = process.env

/**
 * @typedef {{ id: string, fileName: string, location: { start: { line: number } }, mutatorName: string,
 *   replacement: string, status?: string }} Mutant
 */

/**
 * Whether a mutant is in the sample. The same seed always picks the same mutants of a source.
 * @param {Mutant} mutant
 */
const isInSample = ({ fileName, location, mutatorName, replacement }) => {
  const name = JSON.stringify([seed, basename(fileName), location, mutatorName, replacement])
  return createHash('sha256').update(name).digest().readUInt32BE(0) / 2 ** 32 < Number(share)
}

/**
 * Whether a mutant replaces a function while its module is loaded. StrykerJS turns a mutant on when a test begins,
 * which is too late for it. Checkers are given lines that count from 0.
 * @param {Mutant} mutant
 */
const isAppliedOnLoad = ({ fileName, location, mutatorName }) =>
  mutatorName === 'ArrowFunction' &&
  /^(export )?const /.test(readFileSync(fileName, 'utf8').split('\n')[location.start.line] ?? '')

/** Lets the mutants of the sample pass. StrykerJS neither runs nor counts the others. */
class Sample {
  async init() {}

  /** @param {Mutant[]} mutants */
  async check(mutants) {
    return Object.fromEntries(
      mutants.map((mutant) => [
        mutant.id,
        isInSample(mutant) && !isAppliedOnLoad(mutant)
          ? { status: 'passed' }
          : { status: 'compileError', reason: 'not in the sample' },
      ]),
    )
  }

  /** @param {Mutant[]} mutants */
  async group(mutants) {
    return mutants.length > 0 ? [mutants.map(({ id }) => id)] : []
  }
}

/** Writes each result as a line of JSON once it is known, so that an interrupted run is not lost. */
class Results {
  /** @param {Mutant} result */
  onMutantTested({ status, fileName, location, mutatorName, replacement }) {
    if (status === 'CompileError' || status === 'Ignored' || !KASSA_MUTATION_RESULTS) return
    const line = JSON.stringify({ status, fileName, line: location.start.line, mutatorName, replacement })
    appendFileSync(KASSA_MUTATION_RESULTS, `${line}\n`)
  }
}

/**
 * The parts of StrykerJS's runner for Vitest that its types do not name.
 * @typedef {object} VitestRunner
 * @property {(options?: { testIds?: string[] }) => Promise<{ status: string, tests?: object[], errorMessage?: string }>} run
 * @property {{ state: { getFiles(): { name: string, result?: { state: string } }[] } }} ctx
 *
 * @typedef {{ (injector: unknown): VitestRunner, inject: unknown }} VitestRunnerFactory
 */

const factory = /** @type {VitestRunnerFactory} */ (/** @type {unknown} */ (vitestPlugins[0]?.factory))

/**
 * Creates StrykerJS's runner for Vitest, and counts a failed `beforeAll` as a failed test. StrykerJS looks at tests
 * only. Those that Vitest skips after a failed hook would let the mutant survive.
 * @param {unknown} injector
 */
const createRunner = (injector) => {
  const runner = factory(injector)
  const runTests = runner.run.bind(runner)
  runner.run = async (options) => {
    const outcome = await runTests(options)
    const [id] = options?.testIds ?? []
    const failed = runner.ctx.state.getFiles().find(({ result }) => result?.state === 'fail')
    if (!failed || outcome.status !== 'complete') return outcome
    // The first run, without a mutant: a file that cannot be loaded would kill every mutant.
    if (id === undefined) return { status: 'error', errorMessage: `${failed.name} fails without a mutant` }
    const failureMessage = `a hook or test of ${failed.name} failed`
    return {
      ...outcome,
      tests: [...(outcome.tests ?? []), { id, name: id, status: 1, timeSpentMs: 0, failureMessage }],
    }
  }
  return runner
}
createRunner.inject = factory.inject

export const strykerPlugins = [
  { kind: 'TestRunner', name: 'vitest-with-hooks', factory: createRunner },
  { kind: 'Checker', name: 'sample', injectableClass: Sample },
  { kind: 'Reporter', name: 'results', injectableClass: Results },
]
