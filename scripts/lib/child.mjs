import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, renameSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { privateDir, root } from './paths.mjs'

const preload = pathToFileURL(fileURLToPath(new URL('./dieWithParent.mjs', import.meta.url))).href

/** @param {string} path */
const tail = (path) => readFileSync(path, 'utf8').trimEnd().split('\n').slice(-12).join('\n')

/**
 * @typedef {{
 *   name: string, pid: number, exited: Promise<string>, hasExited(): boolean,
 *   signal(signal: NodeJS.Signals): void, stop(graceMs?: number): Promise<void>,
 *   output(): string, report(): string,
 * }} Child
 */

/**
 * Starts a Node program in a separate process group, its output in a log file. It ends when we end, even
 * if we are killed.
 * @param {{ name: string, script: string, args?: string[], cwd: string, env: NodeJS.ProcessEnv, log: string }} options
 * @returns {Child}
 */
export const startChild = ({ name, script, args = [], cwd, env, log }) => {
  privateDir(dirname(log))
  if (existsSync(log)) renameSync(log, log.replace(/\.log$/, '.last.log'))
  const out = openSync(log, 'a', 0o600)
  const child = spawn(process.execPath, ['--import', preload, script, ...args], {
    cwd,
    env,
    detached: process.platform !== 'win32',
    stdio: ['pipe', out, out],
  })
  closeSync(out)
  child.stdin?.on('error', () => {})
  let ending = ''
  /** @type {Promise<string>} */
  const exited = new Promise((resolve) => {
    const end = (/** @type {string} */ how) => {
      ending ||= how
      resolve(ending)
    }
    child.on('error', (error) => end(error.message))
    child.on('exit', (code, signal) => end(signal ? `signal ${signal}` : `status ${code}`))
  })
  const pid = child.pid ?? 0
  const signal = (/** @type {NodeJS.Signals} */ kind) => {
    try {
      if (kind === 'SIGKILL' && process.platform !== 'win32') process.kill(-pid, kind)
      else child.kill(kind)
    } catch {
      // It is gone already, which is what was wanted.
    }
  }
  return {
    name,
    pid,
    exited,
    hasExited: () => ending !== '',
    signal,
    async stop(graceMs = 8000) {
      const timer = setTimeout(() => signal('SIGKILL'), graceMs)
      signal('SIGTERM')
      await exited
      clearTimeout(timer)
      // Whatever it left behind in its group.
      signal('SIGKILL')
    },
    output: () => readFileSync(log, 'utf8'),
    report: () =>
      `The ${name} ended by itself (${ending}). Its log is ${relative(root, log)}; the last lines:\n\n${tail(log)}`,
  }
}
