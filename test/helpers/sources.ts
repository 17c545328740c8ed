import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The clone under test. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** A file of this repository, by its path from the root. */
export const readSource = (path: string): string => readFileSync(join(root, path), 'utf8')

/** Paths, from the root, of every file below a folder whose name ends as asked. */
export const listSources = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => !/(^|\/)(node_modules|dist|\.next)\//.test(path))
    .sort()

/** Source without its comments, so that an example in a comment is not taken for code. */
const withoutComments = (source: string): string =>
  source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')

/** Every module a source imports or re-exports, in its own spelling; `import()` and types count too. */
export const readImports = (source: string): string[] => {
  const code = withoutComments(source)
  const statements = /^\s*(?:import|export)\b(?:[^'"`;=]*?\bfrom)?\s*(['"])([^'"]+)\1/gm
  const calls = /\bimport\(\s*(['"])([^'"]+)\1/g
  return [...code.matchAll(statements), ...code.matchAll(calls)].flatMap((match) => match[2] ?? [])
}

/**
 * The module of its own tree that a file imports, or undefined for a package.
 *
 * @param path - The file, from the root of its tree.
 * @param specifier - Relative, or a subpath of the tree (`#base/lib/clip.js`).
 */
export const resolveImport = (path: string, specifier: string): string | undefined => {
  if (specifier.startsWith('#')) return specifier.slice(1).replace(/\.js$/, '.ts')
  if (!specifier.startsWith('.')) return undefined
  return posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts')
}
