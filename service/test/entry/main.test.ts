import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { main } from '#entry/main.js'

afterEach(() => void vi.restoreAllMocks())

test('behavior: stopped before its database has answered, it ends at once', async () => {
  const sockets: Socket[] = []
  const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = silent.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  const before = process.listeners('SIGTERM')
  const started: unknown[] = []
  const env = {
    DATABASE_URL: `postgres://kassa@127.0.0.1:${port}/kassa`,
    KASSA_LOG_LEVEL: 'silent',
    KASSA_OPERATOR_KEY: `0x${'ab'.repeat(32)}`,
    KASSA_MASTER_KEY: 'cd'.repeat(32),
    KASSA_DRAIN_SECONDS: '600',
  }
  const ended = main(env, (each) => void started.push(each))
  const [hear] = process.listeners('SIGTERM').filter((listener) => !before.includes(listener))
  await expect.poll(() => sockets.length).toBeGreaterThan(0)
  hear?.('SIGTERM')
  await expect.poll(() => exit).toHaveBeenCalledWith(0)
  for (const socket of sockets) socket.destroy()
  silent.close()
  // Errors caused by the end are not reported as a failed start.
  expect(await ended).toBeUndefined()
  expect(started).toEqual([])
  for (const name of ['SIGTERM', 'SIGINT'] as const) if (hear) process.off(name, hear)
})

test.each([
  ['absent', undefined, /KASSA_PUBLIC_URL is absent/],
  ['not encrypted', 'http://pay.example', /KASSA_PUBLIC_URL is not encrypted/],
])('behavior: a start in production warns of a public URL that is %s', async (_, url, warning) => {
  let said = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said += text
    return true
  })
  const before = process.listeners('SIGTERM')
  const env = {
    // Where nothing listens: the start ends there.
    DATABASE_URL: 'postgres://kassa@127.0.0.1:1/kassa',
    KASSA_ENVIRONMENT: 'production',
    KASSA_OPERATOR_KEY: `0x${'ab'.repeat(32)}`,
    KASSA_MASTER_KEY: 'cd'.repeat(32),
    KASSA_PUBLIC_URL: url,
  }
  await expect(main(env, () => {})).rejects.toThrow()
  expect(said).toMatch(warning)
  const [hear] = process.listeners('SIGTERM').filter((listener) => !before.includes(listener))
  for (const name of ['SIGTERM', 'SIGINT'] as const) if (hear) process.off(name, hear)
})
