import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/** Finds a free port below the range from which systems draw the ports of outgoing connections. */
export const findFreePort = async (): Promise<number> => {
  for (let tries = 0; tries < 50; tries += 1) {
    const port = randomInt(20_000, 32_000)
    if (await isFree(port)) return port
  }
  throw new Error('found no free port between 20000 and 32000')
}
