import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { claim, findRunning } from '../../scripts/lib/presence.mjs'
import { root } from '../helpers/sources.js'

const folder = (): string => join(mkdtempSync(join(tmpdir(), 'kassa-presence-')), 'data')

test('default', async () => {
  const dataDir = folder()
  expect(await findRunning(dataDir)).toBeUndefined()
  const release = await claim(dataDir, () => ({ storefrontUrl: 'http://localhost:3000' }))
  expect(await findRunning(dataDir)).toEqual({ storefrontUrl: 'http://localhost:3000' })
  await release()
  expect(await findRunning(dataDir)).toBeUndefined()
})

test('behavior: a folder that is claimed cannot be claimed again', async () => {
  const dataDir = folder()
  const release = await claim(dataDir, () => ({}))
  await expect(claim(dataDir, () => ({}))).rejects.toThrow('already started')
  await release()
})

test('behavior: leftovers of a killed process do not block the next one', async () => {
  const dataDir = folder()
  const code = `
    import { claim } from './scripts/lib/presence.mjs'
    await claim(${JSON.stringify(dataDir)}, () => ({}))
    process.stdout.write('claimed')
    setInterval(() => {}, 1000)
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { cwd: root, stdio: 'pipe' })
  await once(child.stdout, 'data')
  expect(await findRunning(dataDir)).toEqual({})
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await findRunning(dataDir)).toBeUndefined()
  await (await claim(dataDir, () => ({})))()
})
