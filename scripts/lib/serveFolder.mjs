import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'

/** @type {Record<string, string>} */
const types = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/**
 * Serves the files of a folder on this machine until it is stopped.
 * @param {string} folder
 * @returns {Promise<{ url: string, stop: () => void }>}
 */
export const serveFolder = (folder) =>
  new Promise((resolve, reject) => {
    const server = createServer(async ({ url = '/' }, response) => {
      // An address never climbs out of the folder: `URL` has resolved its dots.
      const path = decodeURIComponent(new URL(url, 'http://localhost').pathname)
      try {
        const body = await readFile(join(folder, path))
        response
          .writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' })
          .end(body)
      } catch {
        response.writeHead(404).end()
      }
    })
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') return reject(new Error('no port'))
      const stop = () => {
        server.close()
        // A browser keeps its connections open for the next request.
        server.closeAllConnections()
      }
      resolve({ url: `http://127.0.0.1:${address.port}`, stop })
    })
  })
