import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root, stateDir } from './lib/paths.mjs'
import { run } from './lib/steps.mjs'

// A program may parse a command's output, so nothing else is printed.
process.env.KASSA_QUIET = '1'

/**
 * The operator's command line, with the settings of this clone's sandbox.
 * @param {string[]} args
 * @returns {Promise<number>} its exit status
 */
const runCommand = async (args) => {
  const { serviceProgram } = await import('./lib/programs.mjs')
  const { openSandbox } = await import('./lib/sandbox.mjs')
  const { env } = serviceProgram(openSandbox(stateDir), stateDir, {})
  return new Promise((resolve, reject) => {
    const script = join(root, 'service/dist/bin.js')
    const child = spawn(process.execPath, [script, ...args], { env, stdio: 'inherit' })
    child.on('error', reject)
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

// What follows imports packages, which a new clone does not have before this.
await import('./setup.mjs')
if (!process.exitCode)
  await run(async () => {
    const { build } = await import('./lib/build.mjs')
    await build(['library', 'service'])
    const args = process.argv.slice(2)
    // Without a word the program would be a second service.
    return runCommand(args.length ? args : ['help'])
  })
