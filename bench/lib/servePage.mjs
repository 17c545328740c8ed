import { once } from 'node:events'
import { createServer } from 'node:http'

const html = '<!doctype html><meta charset="utf-8"><title>bench</title><div id="root"></div>'

/**
 * Serves a bundled page at an origin of its own, as a shop has one.
 * @param {ReadonlyMap<string, string>} code by its path
 */
export const servePage = async (code) => {
  const server = createServer(({ url = '' }, response) => {
    const script = code.get(url)
    response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript')
    response.end(script ?? `${html}<script type="module" src="/page.js"></script>`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The page has no port.')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
