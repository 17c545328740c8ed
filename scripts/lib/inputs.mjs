import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './paths.mjs'

const generated = new Set([
  'node_modules',
  'dist',
  '.next',
  '.kassa',
  'test',
  'next-env.d.ts',
  'tsconfig.tsbuildinfo',
])

/**
 * Lists every handwritten file below a path of this clone, in a fixed order.
 * @param {string} path
 * @returns {string[]}
 */
export const filesBelow = (path) => {
  const full = join(root, path)
  if (!statSync(full).isDirectory()) return [path]
  return readdirSync(full)
    .filter((name) => !generated.has(name))
    .sort()
    .flatMap((name) => filesBelow(relative(root, join(full, name))))
}

/**
 * One hash over the names and contents of everything below some paths.
 * @param {string[]} paths
 */
export const hashInputs = (paths) => {
  const hash = createHash('sha256')
  for (const file of paths.flatMap(filesBelow)) {
    const content = readFileSync(join(root, file))
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}
