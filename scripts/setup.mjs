import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installPackages, reasonToInstall } from './lib/packages.mjs'
import { root } from './lib/paths.mjs'
import { run, say, step } from './lib/steps.mjs'

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

/** Makes the clone ready: a Node that is new enough, and the packages of the lock file. */
await run(async () => {
  await step(`node ${process.versions.node}`, () => {
    checkNode()
    return 'new enough'
  })
  const reason = reasonToInstall()
  await step('packages', async () => {
    if (reason === undefined) return 'in place'
    say(`    installing: ${reason}`)
    await installPackages((done, total) => say(`    ${done} of ${total}`))
  })
})
