import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockDataDir } from '../../src/db/lockDataDir.js'
import { openPglite } from '../../src/db/openPglite.js'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'kassa-lock-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

test('default', () => {
  const unlock = lockDataDir(dir)
  unlock()
  lockDataDir(dir)()
})

test('behavior: the lock of a killed process is taken over', async () => {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  writeFileSync(join(dir, 'service.lock'), `${child.pid} 1`)
  lockDataDir(dir)()
})

test('behavior: a process that got the number of a killed one does not hold its lock', () => {
  writeFileSync(join(dir, 'service.lock'), `${process.pid} 1`)
  lockDataDir(dir)()
})

test('error: the folder is in use', async () => {
  const unlock = lockDataDir(dir)
  await expect(openPglite(dir)).rejects.toThrow(`in use by process ${process.pid}`)
  expect(readFileSync(join(dir, 'service.lock'), 'utf8')).toContain(`${process.pid}`)
  unlock()
})
