import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { commandSocket } from '#adapters/postgres/commandSocket.js'
import type { CliOutput } from './group.js'

/** Runs a command and returns the exit status. */
export type RunCommand = (args: string[], output: CliOutput) => Promise<number>

const readArgs = (sent: string): string[] => {
  const args: unknown = JSON.parse(sent)
  if (Array.isArray(args) && args.every((arg) => typeof arg === 'string')) return args
  throw new Error('a command must be a list of words')
}

/** The ready-made readers iterate over the socket, which would close it for the answer too. */
const readAll = (socket: Socket): Promise<string> =>
  new Promise((resolve, reject) => {
    let sent = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      sent += chunk
    })
    socket.on('end', () => resolve(sent))
    socket.on('close', () => reject(new Error('the connection closed before the command was complete')))
  })

const answer = async (socket: Socket, runCommand: RunCommand): Promise<void> => {
  const say = (part: object) => socket.write(`${JSON.stringify(part)}\n`)
  const args = readArgs(await readAll(socket))
  const status = await runCommand(args, { out: (out) => say({ out }), err: (err) => say({ err }) })
  say({ status })
  socket.end()
}

/**
 * Accepts commands for the data folder that this process holds, and runs them here. Access to the folder is
 * the permission to run commands.
 *
 * @returns A function that stops accepting, once the running commands have ended.
 */
export const serveCommands = async (
  dataDir: string,
  runCommand: RunCommand,
): Promise<() => Promise<void>> => {
  const address = commandSocket(dataDir)
  if (process.platform !== 'win32') {
    mkdirSync(dirname(address), { recursive: true, mode: 0o700 })
    chmodSync(dirname(address), 0o700)
    // Left behind by a killed process: while this process holds the folder, no other listens there.
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
