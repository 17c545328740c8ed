import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { build } from './lib/build.mjs'
import { root, stateDir } from './lib/paths.mjs'
import { serviceProgram } from './lib/programs.mjs'
import { openSandbox } from './lib/sandbox.mjs'
import { run } from './lib/steps.mjs'

// A program may parse a command's output, so nothing else is printed.
process.env.KASSA_QUIET = '1'

/**
 * The operator's command line, with the settings of this clone's sandbox.
 * @param {string[]} args
 * @returns {Promise<number>} its exit status
 */
const runCommand = (args) =>
  new Promise((resolve, reject) => {
    const { env } = serviceProgram(openSandbox(stateDir), stateDir, {})
    const script = join(root, 'service/dist/bin.js')
    const child = spawn(process.execPath, [script, ...args], { env, stdio: 'inherit' })
    child.on('error', reject)
    child.on('exit', (code) => resolve(code ?? 1))
  })

await import('./setup.mjs')
if (!process.exitCode)
  await run(async () => {
    await build(['library', 'service'])
    const args = process.argv.slice(2)
    // Without a word the program would be a second service.
    return runCommand(args.length ? args : ['help'])
  })
