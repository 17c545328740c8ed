import { createServer } from 'node:net'

/**
 * @param {number} port
 * @param {string} host
 * @returns {Promise<boolean>}
 */
const canListen = (port, host) =>
  new Promise((resolve) => {
    const server = createServer()
    // On a machine without IPv6, no process occupies the port there.
    server.on('error', (error) => resolve('code' in error && error.code !== 'EADDRINUSE' && host === '::1'))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })

/**
 * Returns the first free port at or after the wanted one, free under either name of localhost.
 * @param {number} wanted
 * @param {number[]} [taken] ports reserved for other processes
 */
export const findPort = async (wanted, taken = []) => {
  for (let port = wanted; port < Math.min(wanted + 200, 65_536); port++)
    if (!taken.includes(port) && (await canListen(port, '127.0.0.1')) && (await canListen(port, '::1')))
      return port
  throw new Error(`No free port was found from ${wanted} on.`)
}
