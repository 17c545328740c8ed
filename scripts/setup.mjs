import { setUp } from './lib/setUp.mjs'
import { run } from './lib/steps.mjs'

/** Makes the clone ready for the script that follows. */
await run(() => setUp())
