import { build } from './lib/build.mjs'
import { run } from './lib/steps.mjs'

/** Builds the library, the service and the storefront, each only if it changed; names pick some of them. */
await run(() => {
  const names = process.argv.slice(2)
  return names.length > 0 ? build(names) : build()
})
