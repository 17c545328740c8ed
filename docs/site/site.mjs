import { fileURLToPath } from 'node:url'
import { createServer } from 'vitepress'

const folder = fileURLToPath(new URL('.', import.meta.url))

/**
 * Serves the site and follows changes of its pages, until the signal aborts.
 * @param {AbortSignal} signal
 */
export const serveSite = async (signal) => {
  const server = await createServer(folder)
  await server.listen()
  server.printUrls()
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
  await server.close()
}
