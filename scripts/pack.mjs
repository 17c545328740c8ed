import { build } from './lib/build.mjs'
import { writeImageLock } from './lib/imageLock.mjs'
import { pack } from './lib/pack.mjs'
import { run, say, step } from './lib/steps.mjs'

/**
 * Packs both packages into files that any project on this machine can install, writes what the image is installed
 * from beside them, and says how.
 */
await run(async () => {
  await build(['library', 'service'])
  let [library, service] = ['', '']
  await step('kassa packed', async () => {
    library = await pack('kassa')
  })
  await step('kassa-service packed', async () => {
    service = await pack('kassa-service')
  })
  writeImageLock()
  say(`
  In an app that is tried on its own sandbox, as the guides do:
    npm install ${library} ${service}
  In an app with a service elsewhere:
    npm install ${library}
  An image of the service:
    docker build -f service/Dockerfile -t kassa-service .kassa/packages
`)
})
