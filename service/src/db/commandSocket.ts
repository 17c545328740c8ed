import { createHash } from 'node:crypto'
import { join, relative, resolve } from 'node:path'

/**
 * Where the service that holds a data folder takes commands: a socket in a folder for its owner alone, on Windows a
 * named pipe. Systems allow a socket about a hundred characters, so the shorter way of writing its path is taken.
 */
export const commandSocket = (dataDir: string): string => {
  const path = join(resolve(dataDir), 'commands', 'service.sock')
  if (process.platform === 'win32') {
    return `\\\\.\\pipe\\kassa-${createHash('sha256').update(path).digest('hex').slice(0, 32)}`
  }
  const fromHere = relative(process.cwd(), path)
  return fromHere.length < path.length ? fromHere : path
}
