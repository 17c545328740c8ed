import { createConnection } from 'node:net'
import { commandSocket } from '#adapters/postgres/commandSocket.js'
import type { CliOutput } from './group.js'

type Part = { out?: string; err?: string; status?: number }

const isNobody = (error: Error): boolean =>
  'code' in error && ['ENOENT', 'ECONNREFUSED', 'EINVAL', 'ENAMETOOLONG'].includes(String(error.code))

/**
 * Runs a command in the service that holds a data folder.
 *
 * @returns The exit status, or `undefined` if no service listens there and nothing was done.
 */
export const handOver = (
  dataDir: string,
  args: readonly string[],
  { out, err }: CliOutput,
): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const socket = createConnection(commandSocket(dataDir))
    let rest = ''
    socket.setEncoding('utf8')
    socket.on('connect', () => socket.end(JSON.stringify(args)))
    socket.on('data', (chunk: string) => {
      const lines = `${rest}${chunk}`.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const part: Part = JSON.parse(line)
        if (part.out !== undefined) out(part.out)
        if (part.err !== undefined) err(part.err)
        if (part.status !== undefined) resolve(part.status)
      }
    })
    socket.on('error', (error) => {
      if (isNobody(error)) resolve(undefined)
      else reject(new Error(`could not reach the service on ${dataDir}`, { cause: error }))
    })
    socket.on('close', () => reject(new Error('the service ended before it responded')))
  })
