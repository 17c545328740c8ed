import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './paths.mjs'

/** @typedef {Record<string, { version?: string, optional?: boolean, link?: boolean }>} Packages */

/**
 * @param {string} path
 * @returns {Packages}
 */
const readPackages = (path) => JSON.parse(readFileSync(join(root, path), 'utf8')).packages

/**
 * Why the packages must be installed, or undefined if what lies in node_modules is what the lock file says.
 * npm writes its own list last, so an installation that was cut short is seen too.
 */
export const reasonToInstall = () => {
  if (!existsSync(join(root, 'node_modules/.package-lock.json'))) return 'there are none yet'
  const installed = readPackages('node_modules/.package-lock.json')
  for (const [path, wanted] of Object.entries(readPackages('package-lock.json'))) {
    const found = installed[path]
    if (path === '' || (!found && wanted.optional)) continue
    if (!found || found.version !== wanted.version)
      return `${path.replace(/^.*node_modules\//, '')} is out of date`
  }
  return undefined
}

/** npm itself, as the command that runs us names it. */
export const npmCommand = () => {
  const path = process.env.npm_execpath
  if (path?.endsWith('npm-cli.js')) return { command: process.execPath, first: [path], shell: false }
  return { command: 'npm', first: [], shell: process.platform === 'win32' }
}

// npm's own ten seconds and a minute between attempts are long for someone who is offline.
const ciFlags = ['--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retry-mintimeout=1000']

const unreachable =
  /\b(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ERR_SOCKET_TIMEOUT)\b/

/**
 * Says in a sentence why npm failed, or repeats npm's own words where it failed for another reason.
 * @param {string} output
 * @param {number | null} status
 */
const describeFailure = (output, status) => {
  const problem = unreachable.exec(output)?.[1]
  if (!problem) return `npm ci ended with status ${status}:\n${output}`
  const url = /\brequest to (https?:\/\/\S+) failed/.exec(output)?.[1]
  const registry = url && URL.canParse(url) ? `the registry at ${new URL(url).origin}` : 'its registry'
  return `npm cannot reach ${registry} (${problem}), so the packages are not installed. Check the network and npm's setting "registry", and run this again.`
}

/**
 * Installs what the lock file says. No package needs its install scripts here, so none is run.
 * @param {(done: number, total: number) => void} onProgress
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export const installPackages = (onProgress, signal) =>
  new Promise((resolve, reject) => {
    const paths = Object.entries(readPackages('package-lock.json'))
      .filter(([path, entry]) => path.includes('node_modules/') && !entry.optional)
      .map(([path]) => join(root, path, 'package.json'))
    const { command, first, shell } = npmCommand()
    const npm = spawn(command, [...first, 'ci', ...ciFlags], {
      cwd: root,
      shell,
      ...(signal && { signal }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const keep = (/** @type {Buffer} */ chunk) => {
      output = (output + chunk).slice(-4000)
    }
    npm.stdout.on('data', keep)
    npm.stderr.on('data', keep)
    const timer = setInterval(() => onProgress(paths.filter(existsSync).length, paths.length), 1000)
    const end = (/** @type {Error | undefined} */ error) => {
      clearInterval(timer)
      if (error) reject(error)
      else resolve()
    }
    npm.on('error', (error) => end(new Error(`npm could not be started: ${error.message}`)))
    npm.on('close', (code) => end(code === 0 ? undefined : new Error(describeFailure(output, code))))
  })
