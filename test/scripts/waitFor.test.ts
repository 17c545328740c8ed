import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Child, startChild } from '../../scripts/lib/child.mjs'
import { patienceMs, waitFor } from '../../scripts/lib/waitFor.mjs'

const startProgram = (code: string): Child => {
  const cwd = mkdtempSync(join(tmpdir(), 'kassa-wait-'))
  const script = join(cwd, 'program.mjs')
  writeFileSync(script, code)
  const child = startChild({ name: 'service', script, cwd, env: process.env, log: join(cwd, 'service.log') })
  onTestFinished(() => child.stop())
  return child
}

/** A server that accepts requests and answers none. */
const startSilent = async (): Promise<string> => {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('default: a command waits ten minutes for a program that is alive', () => {
  expect(patienceMs).toBe(600_000)
})

test('behavior: waiting ends when the child exits, also while a request has no answer', async () => {
  const url = await startSilent()
  const child = startProgram(`setTimeout(() => { console.error('no disk'); process.exit(4) }, 300)`)
  const startedAt = performance.now()
  await expect(waitFor(url, child)).rejects.toThrow(
    /^The service ended by itself \(status 4\)[\s\S]*no disk$/,
  )
  // A request alone would have waited 30 seconds.
  expect(performance.now() - startedAt).toBeLessThan(25_000)
})

test('error: a living child that never answers is named with its last answer', async () => {
  const server = createServer((_, response) => response.writeHead(503).end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const child = startProgram('setInterval(() => {}, 1000)')
  await expect(waitFor(`http://127.0.0.1:${port}`, child, { timeoutMs: 2_000 })).rejects.toThrow(
    'The service was not ready after 2 s (status 503).',
  )
})
