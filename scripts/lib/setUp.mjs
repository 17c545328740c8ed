import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installPackages, reasonToInstall } from './packages.mjs'
import { root } from './paths.mjs'
import { say, skipped, step } from './steps.mjs'

/** The oldest Node of package.json's `engines`, as numbers. */
const oldestNode = () => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return engines.node.match(/\d+/g).map(Number)
}

const checkNode = () => {
  const [major, minor = 0] = oldestNode()
  const [ourMajor = 0, ourMinor = 0] = process.versions.node.split('.').map(Number)
  if (ourMajor < major || (ourMajor === major && ourMinor < minor))
    throw new Error(`Node ${major}.${minor} or newer is needed; this is ${process.versions.node}.`)
}

/**
 * Throws if this clone is read-only.
 * @param {string} [clone]
 */
export const checkWritable = (clone = root) => {
  for (const name of ['.', 'node_modules', '.kassa']) {
    const folder = join(clone, name)
    if (!existsSync(folder)) continue
    try {
      accessSync(folder, constants.W_OK)
    } catch {
      throw new Error(
        `${folder} cannot be written. The packages, the builds and the sandbox's data are kept there, so clone the repository into a folder of your own.`,
      )
    }
  }
}

/**
 * Makes the clone ready: a Node that is new enough, and the packages of the lock file.
 * @param {AbortSignal} [signal]
 */
export const setUp = async (signal) => {
  checkNode()
  const reason = reasonToInstall()
  if (reason === undefined) return skipped('packages', 'in place')
  checkWritable()
  say(`  Installing packages, because ${reason}. This needs the network.`)
  await step('packages', (setNote) =>
    installPackages((done, total) => setNote(`${done} of ${total}`), signal),
  )
}
