import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The clone these scripts belong to. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** Everything the scripts and the sandbox keep; deleting it starts from nothing. */
export const stateDir = join(root, '.kassa')

/**
 * Makes a private folder if it is missing and returns it.
 * @param {string} path
 */
export const privateDir = (path) => {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  return path
}
