import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { checkBudgets } from '../../bench/size/index.mjs'
import { build, runTool } from './build.mjs'
import { pack } from './pack.mjs'
import { root, stateDir } from './paths.mjs'
import { say, step } from './steps.mjs'
import { checkArguments, tsc, typeProjects } from './types.mjs'

/** @typedef {[name: string, check: () => Promise<void>]} Check */

const locales = readdirSync(join(root, 'src/locales'))
  .filter((file) => /^[a-z]{2}-[A-Z]{2}\.ts$/.test(file))
  .map((file) => `locales/${file.slice(0, -'.ts'.length)}`)

const checkDir = join(stateDir, 'check')

/**
 * Lints a package as a registry would hand it out.
 * @param {keyof typeof import('./pack.mjs').packages} name
 */
const lint = async (name) => runTool('publint/src/cli.js', ['run', await pack(name, checkDir), '--strict'])

/**
 * What is checked beside the tests, by the phase of `npm test` that does it. What `npm run check` adds to
 * these, a test of vitest, is none of them.
 * @type {Record<'types' | 'lint' | 'build' | 'package', Check[]>}
 */
export const checks = {
  types: typeProjects.map((project) => [`types of ${project}`, () => runTool(tsc, checkArguments(project))]),
  lint: [
    ['lint', () => runTool('@biomejs/biome/bin/biome', ['check', '.'])],
    [
      'nothing unused (knip)',
      () => runTool('knip/bin/knip.js', ['--treat-config-hints-as-errors', '-t', 'tsconfig.build.json']),
    ],
  ],
  build: [
    ['build', () => build()],
    ['size', () => checkBudgets()],
  ],
  package: [
    ['kassa as published (publint)', () => lint('kassa')],
    ['kassa-service as published (publint)', () => lint('kassa-service')],
    [
      // The service is a program: nothing imports it, so it has no types to be wrong.
      'types of kassa as published (attw)',
      async () =>
        runTool('@arethetypeswrong/cli/dist/index.js', [
          await pack('kassa', checkDir),
          '--no-definitely-typed',
          // There is no CommonJS in the package, and resolvers that know no `exports` cannot find its entries:
          // both is so on purpose. Every resolver that reads ES modules is asked.
          '--profile',
          'esm-only',
          // A stylesheet is none of its business. The pattern of the languages is checked as each of them.
          '--exclude-entrypoints',
          'theme.css',
          'locales/*',
          '--include-entrypoints',
          ...locales,
        ]),
    ],
  ],
}

/**
 * Runs checks, also after one failed. What a failed one says follows its line.
 * @param {Check[]} chosen
 * @returns {Promise<{ passed: number, failed: string[] }>} how many passed, and what the others said
 */
export const runChecks = async (chosen) => {
  /** @type {{ passed: number, failed: string[] }} */
  const tally = { passed: 0, failed: [] }
  for (const [name, check] of chosen)
    try {
      await step(name, check)
      tally.passed++
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      say(message)
      tally.failed.push(`${name}\n${message}`)
    }
  return tally
}
