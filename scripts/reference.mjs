import { resolve } from 'node:path'
import { writeReference } from '../docs/reference/writeReference.mjs'
import { root } from './lib/paths.mjs'
import { run, step } from './lib/steps.mjs'

/** Writes the API reference from the doc comments, to `docs/api` or to the named folder. */
await run(async () => {
  const [folder = 'docs/api'] = process.argv.slice(2)
  await step(`reference in ${folder}`, () => writeReference(resolve(root, folder)))
})
