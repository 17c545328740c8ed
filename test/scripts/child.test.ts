import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startChild } from '../../scripts/lib/child.mjs'
import { root } from '../helpers/sources.js'

const makeProgram = (code: string) => {
  const cwd = mkdtempSync(join(tmpdir(), 'kassa-child-'))
  const script = join(cwd, 'program.mjs')
  writeFileSync(script, code)
  return { name: 'program', script, cwd, env: process.env, log: join(cwd, 'logs/program.log') }
}
const forever = 'setInterval(() => {}, 1000)'

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('default', async () => {
  const child = startChild(makeProgram(forever))
  await sleep(200)
  expect(child.hasExited()).toBe(false)
  await child.stop()
  expect(await child.exited).toBe('signal SIGTERM')
})

test('behavior: one that does not listen is ended by force', async () => {
  const child = startChild(makeProgram(`process.on('SIGTERM', () => {}); console.log('deaf'); ${forever}`))
  await expect.poll(child.output).toContain('deaf')
  await child.stop(200)
  expect(await child.exited).toBe('signal SIGKILL')
})

test('behavior: a child that ends reports its status and its last output', async () => {
  const child = startChild(makeProgram(`console.log('the last words'); process.exit(3)`))
  expect(await child.exited).toBe('status 3')
  expect(child.report()).toMatch(/program ended by itself \(status 3\)[\s\S]*the last words/)
})

test('behavior: a child ends when its parent is killed', async () => {
  const program = makeProgram(forever)
  const code = `
    import { startChild } from './scripts/lib/child.mjs'
    const child = startChild({ ...${JSON.stringify({ ...program, env: undefined })}, env: process.env })
    process.stdout.write(String(child.pid))
    ${forever}
  `
  const parent = spawn(process.execPath, ['--input-type=module', '-e', code], { cwd: root, stdio: 'pipe' })
  const [pid] = await once(parent.stdout, 'data')
  await sleep(300)
  expect(isAlive(Number(pid))).toBe(true)
  parent.kill('SIGKILL')
  for (let waited = 0; isAlive(Number(pid)) && waited < 5000; waited += 50) await sleep(50)
  expect(isAlive(Number(pid))).toBe(false)
})
