import { execFileSync } from 'node:child_process'
import { root } from './paths.mjs'

const git = (/** @type {string} */ cwd, /** @type {string[]} */ ...words) =>
  execFileSync('git', words, { cwd, encoding: 'utf8' }).trim()

/** The commit of `main` that the checked out branch began at. */
export const readBase = (cwd = root) => git(cwd, 'merge-base', 'main', 'HEAD')

/**
 * Whether anything below a path is new, changed or gone since the branch began, committed or not.
 * @param {string} path
 */
export const isChangedSinceBase = (path, cwd = root) =>
  git(cwd, 'diff', '--name-only', readBase(cwd), '--', path) !== '' ||
  git(cwd, 'ls-files', '--others', '--exclude-standard', '--', path) !== ''
