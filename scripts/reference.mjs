import { join } from 'node:path'
import { writeReference } from '../docs/reference/writeReference.mjs'
import { root } from './lib/paths.mjs'
import { run, step } from './lib/steps.mjs'

/** Writes the API reference from the doc comments; with `--try` into `.kassa`, to be compared. */
await run(async () => {
  const folder = process.argv.includes('--try') ? '.kassa/reference' : 'docs/api'
  await step(`reference in ${folder}`, () => writeReference(join(root, folder)))
})
