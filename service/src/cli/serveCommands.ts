import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { commandSocket } from '../db/commandSocket.js'
import type { CliOutput } from './group.js'

/** Does a command, and answers the exit status. */
export type RunCommand = (args: string[], output: CliOutput) => Promise<number>

const readArgs = (sent: string): string[] => {
  const args: unknown = JSON.parse(sent)
  if (Array.isArray(args) && args.every((arg) => typeof arg === 'string')) return args
  throw new Error('a command is a list of words')
}

/** Iterating over a socket, as the ready-made readers do, would close it for the answer too. */
const readAll = (socket: Socket): Promise<string> =>
  new Promise((resolve, reject) => {
    let sent = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      sent += chunk
    })
    socket.on('end', () => resolve(sent))
    socket.on('close', () => reject(new Error('gone before all was said')))
  })

const answer = async (socket: Socket, runCommand: RunCommand): Promise<void> => {
  const say = (part: object) => socket.write(`${JSON.stringify(part)}\n`)
  const args = readArgs(await readAll(socket))
  const status = await runCommand(args, { out: (out) => say({ out }), err: (err) => say({ err }) })
  say({ status })
  socket.end()
}

/**
 * Takes commands for the data folder that this process holds, and does them here. Who may use the folder may command.
 *
 * @returns What ends it, once the commands at work are done.
 */
export const serveCommands = async (
  dataDir: string,
  runCommand: RunCommand,
): Promise<() => Promise<void>> => {
  const address = commandSocket(dataDir)
  if (process.platform !== 'win32') {
    mkdirSync(dirname(address), { recursive: true, mode: 0o700 })
    chmodSync(dirname(address), 0o700)
    // Left behind by a process that was killed: nobody else listens where we hold the folder.
    rmSync(address, { force: true })
  }
  const atWork = new Set<Promise<void>>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {})
    const work = answer(socket, runCommand)
      .catch(() => void socket.destroy())
      .finally(() => atWork.delete(work))
    atWork.add(work)
  })
  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen(address, done)
  })
  return async () => {
    server.close()
    await Promise.all(atWork)
  }
}
