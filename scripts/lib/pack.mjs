import { spawn } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { npmCommand } from './packages.mjs'
import { privateDir, root, stateDir } from './paths.mjs'

/** Where the packed packages lie. */
export const packagesDir = join(stateDir, 'packages')

/** The packages that are published: their folder below the root, by their name. */
export const packages = { kassa: '.', 'kassa-service': 'service' }

/**
 * Runs npm in a folder. Its output is printed only if it fails.
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, isWithComplaints?: boolean }} options
 * @returns {Promise<string>} what it printed, with its warnings if they are asked for
 */
export const runNpm = (args, { cwd, env = process.env, isWithComplaints = false }) =>
  new Promise((resolve, reject) => {
    const { command, first, shell } = npmCommand()
    const npm = spawn(command, [...first, ...args], { cwd, shell, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let [output, complaints] = ['', '']
    npm.stdout.on('data', (chunk) => {
      output += chunk
    })
    npm.stderr.on('data', (chunk) => {
      complaints += chunk
    })
    npm.on('error', (error) => reject(new Error(`npm could not be started: ${error.message}`)))
    npm.on('close', (code) =>
      code === 0
        ? resolve(isWithComplaints ? complaints + output : output)
        : reject(new Error(`npm ${args[0]} ended with status ${code}:\n${output}${complaints}`)),
    )
  })

/**
 * Packs a built package as a registry would hand it out.
 * @param {keyof typeof packages} name
 * @param {string} [folder] where to
 * @returns {Promise<string>} the file
 */
export const pack = async (name, folder = packagesDir) => {
  const draft = mkdtempSync(join(privateDir(folder), 'draft-'))
  try {
    const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', draft]
    const [packed] = JSON.parse(await runNpm(args, { cwd: join(root, packages[name]) }))
    const file = join(folder, `${name}.tgz`)
    renameSync(join(draft, packed.filename), file)
    return file
  } finally {
    rmSync(draft, { recursive: true })
  }
}
