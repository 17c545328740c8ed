import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { Hono } from 'hono'
import { afterAll, expect, test } from 'vitest'
import { onError, onNotFound } from '#interface/http/onError.js'
import { serveBuilt } from '#interface/http/serveBuilt.js'

const folder = mkdtempSync(join(tmpdir(), 'kassa-built-'))
afterAll(() => rmSync(folder, { recursive: true }))

const open = (name: string) => {
  const app = new Hono()
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  app.onError(onError(log) as never)
  app.notFound(onNotFound([], 'http://service.test') as never)
  app.route('/app', serveBuilt(pathToFileURL(`${join(folder, name)}/`), ['/', '/things/:id']) as never)
  return app
}

mkdirSync(join(folder, 'app/assets'), { recursive: true })
writeFileSync(join(folder, 'app/index.html'), '<!doctype html><title>App</title>')
writeFileSync(join(folder, 'app/assets/main-a1.js'), 'start()')
writeFileSync(join(folder, 'app/LICENSES.md'), 'MIT')
writeFileSync(join(folder, 'secret.js'), 'secret')
const app = open('app')

test.each(['/app', '/app/things/7'])(
  'default: a page at %s, which is asked for anew each time',
  async (path) => {
    const response = await app.request(path)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.text()).toContain('<title>App</title>')
  },
)

test('behavior: a file with a hash in its name is kept, and is compressed for who can read that', async () => {
  const plain = await app.request('/app/assets/main-a1.js')
  expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(plain.headers.get('vary')).toBe('Accept-Encoding')
  expect(await plain.text()).toBe('start()')
  const packed = await app.request('/app/assets/main-a1.js', { headers: { 'accept-encoding': 'gzip, br' } })
  expect(packed.headers.get('content-encoding')).toBe('br')
  expect(brotliDecompressSync(Buffer.from(await packed.arrayBuffer())).toString()).toBe('start()')
})

test.each([
  '/app/assets/other.js',
  '/app/assets/..%2fLICENSES.md',
  '/app/assets/..%2f..%2fsecret.js',
  '/app/LICENSES.md',
  '/app/elsewhere',
])('error: nothing else is served: %s', async (path) => {
  expect((await app.request(path)).status).toBe(404)
})

test('error: pages that are not built, which are found once they are', async () => {
  const later = open('later')
  const response = await later.request('/app')
  expect(response.status).toBe(404)
  expect(await response.text()).toContain('run npm run build')
  mkdirSync(join(folder, 'later'))
  writeFileSync(join(folder, 'later/index.html'), 'here')
  expect(await (await later.request('/app')).text()).toBe('here')
})
