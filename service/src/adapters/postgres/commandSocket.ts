import { createHash } from 'node:crypto'
import { join, relative, resolve } from 'node:path'

/**
 * Returns the path of the socket on which the service of a data folder accepts commands. The socket is in a
 * folder that only its owner can open; on Windows it is a named pipe. Systems limit a socket's path to about
 * a hundred characters, so the shorter form of the path is used.
 */
export const commandSocket = (dataDir: string): string => {
  const path = join(resolve(dataDir), 'commands', 'service.sock')
  if (process.platform === 'win32') {
    return `\\\\.\\pipe\\kassa-${createHash('sha256').update(path).digest('hex').slice(0, 32)}`
  }
  const fromHere = relative(process.cwd(), path)
  return fromHere.length < path.length ? fromHere : path
}
