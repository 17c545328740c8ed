import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { startChild } from '../../scripts/lib/child.mjs'
import { findPort } from '../../scripts/lib/ports.mjs'
import { isFrom, startOnFreePort } from '../../scripts/lib/stack.mjs'
import { waitFor } from '../../scripts/lib/waitFor.mjs'

const strangers: Server[] = []
afterEach(async () => {
  await Promise.all(strangers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
})

/** Another clone's service: it answers on its port as ours would. */
const startStranger = async (port: number): Promise<void> => {
  const server = createServer((_, response) => response.end('{"status":"up"}'))
  strangers.push(server)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
}

/** A program that listens after a while, as a service does that opens its database first. */
const startProgram = (port: number, delayMs: number) => {
  const cwd = mkdtempSync(join(tmpdir(), 'kassa-clones-'))
  const script = join(cwd, 'program.mjs')
  writeFileSync(
    script,
    `import { createServer } from 'node:http'
     const server = createServer((request, response) => response.end('ok'))
     server.on('error', (error) => { console.error(error.code); process.exit(1) })
     setTimeout(() => server.listen(${port}, '127.0.0.1', () => console.log('{"msg":"ready"}')), ${delayMs})`,
  )
  return startChild({ name: 'service', script, cwd, env: process.env, log: join(cwd, 'logs/service.log') })
}

test('behavior: another program on the port is not taken for the child', async () => {
  const port = await findPort(24_600)
  await startStranger(port)
  const child = startProgram(port, 300)
  const isFromChild = isFrom(child, /"msg":"ready"/)
  await expect(waitFor(`http://127.0.0.1:${port}`, child, { isFromChild })).rejects.toThrow('EADDRINUSE')
  await child.stop()
})

test('behavior: of two started at once on one port, the second moves on', async () => {
  const wanted = await findPort(24_700)
  let starts = 0
  // Both found the same port free.
  const start = async () => {
    const port = ++starts <= 2 ? wanted : await findPort(wanted)
    const child = startProgram(port, 500)
    const isFromChild = isFrom(child, /"msg":"ready"/)
    const started = waitFor(`http://127.0.0.1:${port}`, child, { isFromChild })
    return { child, started: started.then(() => ({ port, child })) }
  }
  const clones = await Promise.all([startOnFreePort(start), startOnFreePort(start)])
  // More if another program of this machine takes a port meanwhile.
  expect(starts).toBeGreaterThanOrEqual(3)
  expect(new Set(clones.map(({ port }) => port)).size).toBe(2)
  await Promise.all(clones.map(({ child }) => child.stop()))
})
