import { join } from 'node:path'
import { stateDir } from './paths.mjs'

/** Every TypeScript project of the repository, by its configuration. */
export const typeProjects = [
  'tsconfig.json',
  'service/tsconfig.json',
  'console/tsconfig.json',
  'test/tsconfig.json',
  'scripts/tsconfig.json',
  'bench/tsconfig.json',
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
