import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isPublicAddress } from '#adapters/guard/checkUrl.js'
import { createSafeFetch } from '#adapters/guard/createSafeFetch.js'
import { type HttpServer, startHttpServer } from '../../helpers/startHttpServer.js'

const mebibyte = 1024 * 1024
const secretBody = 'AKIA-what-only-this-network-may-see'
const notPublic = 'leads to an address that is not public'

let server: HttpServer
let closedEarly = 0

beforeAll(async () => {
  server = await startHttpServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://host')
    response.on('close', () => {
      if (!response.writableEnded) closedEarly += 1
    })
    const to = searchParams.get('to')
    const type = searchParams.get('type')
    if (to !== null) return response.writeHead(302, { location: to }).end(secretBody)
    if (type !== null) return response.writeHead(200, type ? { 'content-type': type } : {}).end('file')
    switch (pathname) {
      case '/full':
        return response.end(Buffer.alloc(20 * mebibyte, 7))
      case '/over':
        response.write(Buffer.alloc(20 * mebibyte))
        return response.end('.')
      case '/announced':
        response.writeHead(200, { 'content-length': String(5 * 1024 ** 3) })
        return response.write('begins')
      case '/endless': {
        const chunk = Buffer.alloc(mebibyte)
        const more = (): void => {
          if (!response.destroyed) response.write(chunk, more)
        }
        return more()
      }
      case '/drip': {
        const timer = setInterval(() => response.write('.'), 20)
        return response.on('close', () => clearInterval(timer))
      }
      case '/silent':
        return
      case '/bomb':
        response.writeHead(200, { 'content-encoding': 'gzip' })
        return response.end(gzipSync(Buffer.alloc(64 * mebibyte)))
      case '/further':
        return response.writeHead(307, { location: `/further?n=${Number(searchParams.get('n')) + 1}` }).end()
      default:
        return response.writeHead(404).end(secretBody)
    }
  })
})
afterAll(() => server.close())

/** As in production, except that this machine's own address counts as public. */
const isPublic = (address: string) => address === '127.0.0.1' || isPublicAddress(address)
const safeFetch = createSafeFetch({ isPublic })

const named = (addresses: Record<string, string[]>) => async (host: string) =>
  (addresses[host] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

const problemOf = async (fetched: Promise<unknown>): Promise<string> => {
  const error: unknown = await fetched.then(
    () => 'nothing',
    (reason: unknown) => reason,
  )
  expect(error).toMatchObject({ name: 'ServiceError', code: 'input-invalid' })
  const message = error instanceof Error ? error.message : ''
  expect(message).not.toContain(secretBody)
  return message
}

test('default', async () => {
  const { bytes, contentType } = await safeFetch(`${server.url}/?type=image/PNG;q=1`)
  expect(Buffer.from(bytes).toString()).toBe('file')
  expect(contentType).toBe('image/png')
})

test('parameters: 20 MiB', async () => {
  expect((await safeFetch(`${server.url}/full`)).bytes.length).toBe(20 * mebibyte)
  expect(await problemOf(safeFetch(`${server.url}/full`, mebibyte))).toBe('is larger than 1 MiB')
})

test('parameters: a redirect, relative and absolute', async () => {
  const inner = encodeURIComponent(`${server.url}/?type=text/plain`)
  const outer = encodeURIComponent(`/?to=${inner}`)
  expect((await safeFetch(`${server.url}/?to=${outer}#part`)).contentType).toBe('text/plain')
})

test.each([
  ['', 'application/octet-stream'],
  ['nonsense', 'application/octet-stream'],
  ['text/<script>', 'application/octet-stream'],
  [`image/${'x'.repeat(100)}`, 'application/octet-stream'],
  ['image/svg%2Bxml; charset=utf-8', 'image/svg+xml'],
])('parameters: content type %s', async (type, contentType) => {
  expect((await safeFetch(`${server.url}/?type=${type}`)).contentType).toBe(contentType)
})

test("behavior: only a name's public addresses are connected to, and it is resolved once", async () => {
  let lookups = 0
  const guarded = createSafeFetch({
    isPublic,
    lookup: async () => {
      lookups += 1
      const address = lookups === 1 ? '127.0.0.1' : '10.0.0.1'
      return [
        { address: '10.0.0.1', family: 4 },
        { address, family: 4 },
      ]
    },
  })
  const { contentType } = await guarded(`http://shop.example:${server.port}/?type=text/css`)
  expect(contentType).toBe('text/css')
  expect(lookups).toBe(1)
})

test.each([
  '127.0.0.1',
  '127.1',
  '127.0.0.1.',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '%31%32%37.0.0.1',
  '１２７.0.0.1',
  '0',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '[::1]',
  '[::]',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '[::ffff:127.0.0.1]',
  '[::ffff:a9fe:a9fe]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  'localhost',
])('error: input-invalid, the host %s', async (host) => {
  const asked = server.asked.length
  const problem = await problemOf(createSafeFetch()(`http://${host}:${server.port}/?type=image/png`))
  expect(problem).toBe(notPublic)
  expect(server.asked.length).toBe(asked)
})

test.each(['10.1.2.3', '169.254.169.254', '::1', '::ffff:10.1.2.3', '64:ff9b::a01:203'])(
  'error: input-invalid, a name that resolves to %s',
  async (address) => {
    const lookup = named({ 'shop.example': [address, '192.168.7.7'] })
    expect(await problemOf(createSafeFetch({ lookup })('https://shop.example/a.png'))).toBe(notPublic)
  },
)

test.each([
  ['http://169.254.169.254/latest/meta-data', notPublic],
  ['//10.0.0.1/', notPublic],
  ['http://[::1]:9/', notPublic],
  ['http://internal.example/', notPublic],
  ['file:///etc/passwd', 'expected an http or https URL'],
  ['http://user:hunter2@shop.example/', 'must not contain a user name or a password'],
  ['http://', 'expected an http or https URL'],
])('error: input-invalid, a redirect to %s', async (to, expected) => {
  const lookup = named({ 'shop.example': ['127.0.0.1'], 'internal.example': ['10.0.0.7'] })
  const url = `http://shop.example:${server.port}/?to=${encodeURIComponent(to)}`
  expect(await problemOf(createSafeFetch({ isPublic, lookup })(url))).toBe(expected)
})

test('error: input-invalid, a redirect loop', async () => {
  const loop = await startHttpServer((request, response) =>
    response.writeHead(301, { location: request.url === '/a' ? '/b' : '/a' }).end(),
  )
  expect(await problemOf(safeFetch(`${loop.url}/a`))).toBe('redirects in a loop')
  expect(loop.asked).toEqual(['GET /a', 'GET /b'])
  await loop.close()
})

test('error: input-invalid, redirects without end', async () => {
  const before = server.asked.length
  expect(await problemOf(safeFetch(`${server.url}/further?n=0`))).toBe('redirects more than 5 times')
  expect(server.asked.length - before).toBe(6)
})

test.each([
  ['announced', 'is larger than 20 MiB'],
  ['over', 'is larger than 20 MiB'],
  ['endless', 'is larger than 20 MiB'],
  ['bomb', 'sent a compressed response, which was not requested'],
  ['nothing', 'answered with status 404'],
])('error: input-invalid, %s', async (path, expected) => {
  expect(await problemOf(safeFetch(`${server.url}/${path}`))).toBe(expected)
})

test.each(['drip', 'silent'])('error: input-invalid, %s', async (path) => {
  const impatient = createSafeFetch({ isPublic, timeoutMs: 1_500 })
  const before = closedEarly
  expect(await problemOf(impatient(`${server.url}/${path}`))).toBe(
    'did not answer in full within 1.5 seconds',
  )
  await expect.poll(() => closedEarly).toBeGreaterThan(before)
})

test('error: input-invalid, a name that is never resolved', async () => {
  const lookup = () => new Promise<never>(() => {})
  const impatient = createSafeFetch({ lookup, timeoutMs: 200 })
  expect(await problemOf(impatient('https://shop.example/'))).toBe(
    'did not answer in full within 0.2 seconds',
  )
})

test('error: input-invalid, an unknown name', async () => {
  const lookup = async () => {
    throw Object.assign(new Error('getaddrinfo ENOTFOUND shop.example'), { code: 'ENOTFOUND' })
  }
  expect(await problemOf(createSafeFetch({ lookup })('https://shop.example/'))).toBe(
    'names a host that does not exist',
  )
})

test('error: input-invalid, no server answers', async () => {
  const gone = await startHttpServer(() => {})
  await gone.close()
  expect(await problemOf(safeFetch(gone.url))).toBe('could not be reached')
})

test.each(['ftp://shop.example/a', 'file:///etc/passwd', 'data:text/plain,a', 'javascript:1', 'a.png', ''])(
  'error: input-invalid, %s',
  async (url) => {
    expect(await problemOf(safeFetch(url))).toBe('expected an http or https URL')
  },
)

test('error: input-invalid, a password in the URL', async () => {
  const message = await problemOf(safeFetch(`http://ada:hunter2@127.0.0.1:${server.port}/`))
  expect(message).toBe('must not contain a user name or a password')
})
