/** Every TypeScript project of the repository, by its configuration. */
export const typeProjects = [
  'tsconfig.json',
  'service/tsconfig.json',
  'test/tsconfig.json',
  'scripts/tsconfig.json',
  'bench/tsconfig.json',
  'examples/next/tsconfig.json',
  'examples/vite/tsconfig.json',
]

/** TypeScript's compiler, below node_modules. */
export const tsc = 'typescript/bin/tsc'
