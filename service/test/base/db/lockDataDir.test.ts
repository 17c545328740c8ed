import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { commandSocket } from '#adapters/postgres/commandSocket.js'
import { lockDataDir } from '#adapters/postgres/lockDataDir.js'
import { openPglite } from '#adapters/postgres/openPglite.js'
import { inDataDir } from '#base/config/inDataDir.js'

const timing = { beatMs: 20, patienceMs: 200 }

let dir: string
let path: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'kassa-lock-'))
  path = join(dir, 'service.lock')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

/** The lock of another process, or of one in another container. */
const writeLock = async (change: { pid?: number; start?: string; place?: string }) => {
  const unlock = await lockDataDir(dir)
  const [pid, start, place] = readFileSync(path, 'utf8').split(' ')
  unlock()
  const lock = { pid, start, place, ...change }
  writeFileSync(path, `${lock.pid} ${lock.start} ${lock.place}`)
}

test('default', async () => {
  const unlock = await lockDataDir(dir)
  unlock()
  const unlockAgain = await lockDataDir(dir)
  unlockAgain()
})

test('behavior: the lock of a killed process is taken over', async () => {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  await writeLock({ pid: child.pid ?? 0 })
  const unlock = await lockDataDir(dir)
  unlock()
})

test('behavior: a process with the reused number of a killed one does not hold its lock', async () => {
  await writeLock({ start: '1' })
  const unlock = await lockDataDir(dir)
  unlock()
})

test('behavior: a lock of another container is taken over once its heartbeats have stopped for long', async () => {
  await writeLock({ place: 'elsewhere' })
  const longAgo = new Date(Date.now() - 60_000)
  utimesSync(path, longAgo, longAgo)
  const unlock = await lockDataDir(dir)
  unlock()
  await writeLock({ place: 'elsewhere' })
  const unlockAgain = await lockDataDir(dir, timing)
  expect(readFileSync(path, 'utf8')).not.toContain('elsewhere')
  unlockAgain()
})

test('behavior: a process whose lock was taken over leaves the new one in place', async () => {
  const unlock = await lockDataDir(dir)
  writeFileSync(path, '7 1 elsewhere')
  unlock()
  expect(readFileSync(path, 'utf8')).toBe('7 1 elsewhere')
})

test('error: the folder is in use', async () => {
  const unlock = await lockDataDir(dir)
  await expect(openPglite(dir)).rejects.toThrow(`in use by process ${process.pid};`)
  expect(readFileSync(path, 'utf8')).toContain(`${process.pid}`)
  unlock()
})

test('error: a file stands where the folder should be', async () => {
  writeFileSync(path, '')
  await expect(openPglite(join(path, 'service'))).rejects.toThrow(
    /cannot be written \(ENOTDIR\): .*KASSA_DATA_DIR \(of a sandbox: --data\)/,
  )
})

test.each(['EACCES', 'EROFS', 'ENOSPC'])(
  'error: the folder cannot be written: %s names the setting',
  (code) => {
    const fail = () => {
      throw Object.assign(new Error(`${code}: mkdir '/data'`), { code })
    }
    expect(() => inDataDir('/data', fail)).toThrow(
      new RegExp(`/data cannot be written \\(${code}\\): .*KASSA_DATA_DIR`),
    )
  },
)

test('error: the folder is in use by another container, whose process has the same number', async () => {
  const unlock = await lockDataDir(dir, timing)
  // This process sends the heartbeats, under another's name.
  writeFileSync(path, `${process.pid} 1 elsewhere`)
  const refused = expect(lockDataDir(dir, { ...timing, patienceMs: 60_000 })).rejects
  await refused.toThrow(`in use by process ${process.pid} of another container or machine;`)
  unlock()
})

test.skipIf(process.platform === 'win32')('error: the service of another container answers', async () => {
  await writeLock({ place: 'elsewhere' })
  const longAgo = new Date(Date.now() - 60_000)
  utimesSync(path, longAgo, longAgo)
  const address = commandSocket(dir)
  mkdirSync(dirname(address))
  const server = createServer((socket) => void socket.destroy()).listen(address)
  await once(server, 'listening')
  await expect(lockDataDir(dir)).rejects.toThrow('of another container or machine')
  server.close()
})
