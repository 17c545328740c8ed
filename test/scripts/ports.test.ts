import { createServer, type Server } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { findPort } from '../../scripts/lib/ports.mjs'

const servers: Server[] = []
const listen = (port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    servers.push(server)
    server.on('error', reject)
    server.listen(port, host, () => resolve())
  })

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
})

test('default', async () => {
  const wanted = await findPort(24_100)
  expect(await findPort(wanted)).toBe(wanted)
})

test.each(['127.0.0.1', '0.0.0.0'])('behavior: a port in use on %s is skipped', async (host) => {
  const wanted = await findPort(24_200)
  await listen(wanted, host)
  expect(await findPort(wanted)).toBeGreaterThan(wanted)
})

test('parameters: taken', async () => {
  const wanted = await findPort(24_300)
  expect(await findPort(wanted, [wanted])).toBeGreaterThan(wanted)
})
