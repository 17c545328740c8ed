import { join } from 'node:path'
import { stateDir } from './paths.mjs'

/**
 * The TypeScript projects whose types are checked, by their configuration. `test` has every test, script and
 * benchmark, so that the library is read once for all. What is built is checked again by its build, without the types
 * of Node or of a browser that it must not use.
 */
export const typeProjects = [
  'console/tsconfig.json',
  'pay/tsconfig.json',
  'test/tsconfig.json',
  'test/wagmi-2/tsconfig.json',
  'examples/next/tsconfig.json',
  'examples/vite/tsconfig.json',
  'docs/site/tsconfig.json',
]

/**
 * Returns the arguments that check a project's types. The compiler notes what it found in `.kassa/types`, so
 * that the next check reads only what has changed.
 * @param {string} project
 * @returns {string[]}
 */
export const checkArguments = (project) => [
  '--noEmit',
  '--incremental',
  '--tsBuildInfoFile',
  join(stateDir, 'types', `${project.replaceAll('/', '-')}.tsbuildinfo`),
  '-p',
  project,
]

/** TypeScript's compiler, below node_modules. */
export const tsc = 'typescript/bin/tsc'
