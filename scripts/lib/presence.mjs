import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { join, relative } from 'node:path'
import { privateDir } from './paths.mjs'

/**
 * Where a running stack of this data folder answers. A socket, unlike a file with a process id, cannot
 * outlive who listens on it; its relative path stays below the length that systems allow.
 * @param {string} dataDir
 */
const address = (dataDir) =>
  process.platform === 'win32'
    ? `\\\\.\\pipe\\kassa-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`
    : relative(process.cwd(), join(dataDir, 'stack.sock')) || 'stack.sock'

/**
 * What the stack that runs on a data folder says of itself, or undefined if none runs.
 * @param {string} dataDir
 * @returns {Promise<Record<string, unknown> | undefined>}
 */
export const findRunning = (dataDir) =>
  new Promise((resolve, reject) => {
    let text = ''
    const socket = createConnection(address(dataDir))
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('end', () => resolve(JSON.parse(text)))
    socket.on('error', (error) => {
      if ('code' in error && (error.code === 'ENOENT' || error.code === 'ECONNREFUSED')) resolve(undefined)
      else reject(error)
    })
  })

/**
 * Claims a data folder for this process until it ends, and answers who asks with what `describe` returns.
 * @param {string} dataDir
 * @param {() => object} describe
 * @returns {Promise<() => Promise<void>>} gives the folder free again
 */
export const claim = async (dataDir, describe) => {
  if (await findRunning(dataDir))
    throw new Error('This clone is already started. Stop that one first (Ctrl-C).')
  privateDir(dataDir)
  if (process.platform !== 'win32') rmSync(address(dataDir), { force: true })
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.end(JSON.stringify(describe()))
  })
  await new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen(address(dataDir), () => resolve(undefined))
  })
  server.unref()
  return () => new Promise((resolve) => server.close(() => resolve()))
}
