import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { expect, test, vi } from 'vitest'
import { createShop } from '../../helpers/createShop.js'
import { ipfsCid } from '../../helpers/ipfsCid.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const shop = openBeforeAll(createShop)

const mebibyte = 1024 * 1024
const digits = new TextEncoder().encode('0123456789')

test.each([0, 11, mebibyte + 1])('default, %i bytes', async (size) => {
  const { storage } = shop.deps
  const bytes = new Uint8Array(size).fill(7)
  const cid = await storage.put(bytes, 'image/png')
  expect(cid).toBe(ipfsCid(bytes))
  expect(await storage.put(bytes, 'image/png')).toBe(cid)
  const file = await storage.get(cid)
  expect(file?.contentType).toBe('image/png')
  expect(Buffer.compare(Buffer.from(file?.bytes ?? [1]), bytes)).toBe(0)
})

test('parameters: 20 MiB', async () => {
  const bytes = new Uint8Array(20 * mebibyte).fill(7)
  expect(await shop.deps.storage.put(bytes, 'video/mp4')).toBe(ipfsCid(bytes))
})

test('behavior: contents are served for ever, to any page, and never run', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  const cid = await shop.deps.storage.put(new TextEncoder().encode(svg), 'image/svg+xml')
  const response = await shop.app.request(`/ipfs/${cid}`)
  expect(response.status).toBe(200)
  expect(await response.text()).toBe(svg)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'accept-ranges': 'bytes',
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-length': String(svg.length),
    'content-security-policy': expect.stringContaining('sandbox'),
    'content-type': 'image/svg+xml',
    etag: `"${cid}"`,
    'x-content-type-options': 'nosniff',
  })
})

test.each([(cid: string) => `"${cid}"`, (cid: string) => `"other", W/"${cid}"`, () => '*'])(
  'behavior: 304 to one who holds it, %#',
  async (held) => {
    const cid = await shop.deps.storage.put(digits, 'audio/flac')
    const headers = { 'if-none-match': held(cid), range: 'bytes=0-1' }
    const response = await shop.app.request(`/ipfs/${cid}`, { headers })
    expect(response.status).toBe(304)
    expect(await response.text()).toBe('')
  },
)

test('behavior: HEAD says what GET would send', async () => {
  const cid = await shop.deps.storage.put(digits, 'audio/flac')
  const headers = { range: 'bytes=0-1' }
  const response = await shop.app.request(`/ipfs/${cid}`, { method: 'HEAD', headers })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-length')).toBe('10')
  expect(response.headers.get('content-type')).toBe('audio/flac')
  expect(await response.text()).toBe('')
})

test.each([
  ['bytes=0-3', '0123', 'bytes 0-3/10'],
  ['bytes=4-', '456789', 'bytes 4-9/10'],
  ['bytes=-2', '89', 'bytes 8-9/10'],
  ['bytes=-99', '0123456789', 'bytes 0-9/10'],
  ['bytes=9-99', '9', 'bytes 9-9/10'],
  ['Bytes=0-0', '0', 'bytes 0-0/10'],
])('parameters: Range %s', async (range, text, contentRange) => {
  const cid = await shop.deps.storage.put(digits, 'audio/flac')
  const headers = { range, 'if-range': `"${cid}"` }
  const response = await shop.app.request(`/ipfs/${cid}`, { headers })
  expect(response.status).toBe(206)
  expect(await response.text()).toBe(text)
  expect(response.headers.get('content-range')).toBe(contentRange)
  expect(response.headers.get('content-length')).toBe(String(text.length))
})

test.each(['bytes=10-', 'bytes=99-100', 'bytes=-0'])(
  'parameters: Range %s, beyond the end',
  async (range) => {
    const cid = await shop.deps.storage.put(digits, 'audio/flac')
    const response = await shop.app.request(`/ipfs/${cid}`, { headers: { range } })
    expect(response.status).toBe(416)
    expect(response.headers.get('content-range')).toBe('bytes */10')
    expect(await response.text()).toBe('')
  },
)

test.each([
  { range: 'bytes=0-1,4-5' },
  { range: 'bytes=5-2' },
  { range: 'bytes=-' },
  { range: 'bytes=a-b' },
  { range: 'lines=0-1' },
  { range: 'bytes=0-1', 'if-range': '"another"' },
])('parameters: all of it, %j', async (headers) => {
  const cid = await shop.deps.storage.put(digits, 'audio/flac')
  const response = await shop.app.request(`/ipfs/${cid}`, { headers })
  expect(response.status).toBe(200)
  expect(await response.text()).toBe('0123456789')
})

test('behavior: no byte is read that is not sent', async () => {
  const cid = await shop.deps.storage.put(digits, 'audio/flac')
  const get = vi.spyOn(shop.deps.storage, 'get')
  const ask = async (method: string, headers: Record<string, string> = {}) => {
    get.mockClear()
    const response = await shop.app.request(`/ipfs/${cid}`, { method, headers })
    await response.arrayBuffer()
    const read = await Promise.all(get.mock.results.map(({ value }) => value))
    return { status: response.status, read: read.map((file) => Buffer.from(file.bytes).toString()) }
  }
  expect(await ask('HEAD')).toEqual({ status: 200, read: [] })
  expect(await ask('GET', { 'if-none-match': `"${cid}"` })).toEqual({ status: 304, read: [] })
  expect(await ask('GET', { range: 'bytes=10-' })).toEqual({ status: 416, read: [] })
  expect(await ask('GET', { range: 'bytes=0-0' })).toEqual({ status: 206, read: ['0'] })
  expect(await ask('GET', { range: 'bytes=-3' })).toEqual({ status: 206, read: ['789'] })
  expect(await ask('GET')).toEqual({ status: 200, read: ['0123456789'] })
  get.mockRestore()
})

test('behavior: a range far into a film', async () => {
  const { storage } = shop.deps
  const film = Uint8Array.from({ length: 3 * mebibyte }, (_, at) => (at * 31 + (at >> 10)) % 256)
  const cid = await storage.put(film, 'video/mp4')
  const [start, end] = [2 * mebibyte + 5, 2 * mebibyte + 999_999]
  const part = await storage.get(cid, { start, end })
  expect(Buffer.compare(Buffer.from(part?.bytes ?? []), film.subarray(start, end + 1))).toBe(0)
})

test('behavior: a film is read in parts, each when the one before was taken', async () => {
  const film = new Uint8Array(2 * mebibyte).map((_, at) => at % 251)
  const cid = await shop.deps.storage.put(film, 'video/mp4')
  const get = vi.spyOn(shop.deps.storage, 'get')
  const response = await shop.app.request(`/ipfs/${cid}`)
  const reader = response.body?.getReader()
  const first = await reader?.read()
  expect(first?.value?.length).toBe(65_536)
  expect(get.mock.calls.length).toBeLessThanOrEqual(2)
  const parts = [first?.value]
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
    parts.push(part.value)
  expect(Buffer.compare(Buffer.concat(parts.map((part) => part ?? new Uint8Array())), film)).toBe(0)
  expect(get.mock.calls).toHaveLength(32)
  get.mockRestore()
})

test('behavior: however many files are fetched, four parts are read at once', async () => {
  const { storage } = shop.deps
  const cid = await storage.put(new Uint8Array(256 * 1024).fill(9), 'video/mp4')
  const read = storage.get
  let [reading, most] = [0, 0]
  const get = vi.spyOn(storage, 'get').mockImplementation(async (...asked) => {
    reading += 1
    most = Math.max(most, reading)
    try {
      return await read(...asked)
    } finally {
      reading -= 1
    }
  })
  const answers = await Promise.all(Array.from({ length: 8 }, () => shop.app.request(`/ipfs/${cid}`)))
  const sizes = await Promise.all(answers.map(async (answer) => (await answer.arrayBuffer()).byteLength))
  expect(sizes).toEqual(Array(8).fill(256 * 1024))
  expect(most).toBe(4)
  get.mockRestore()
})

test('error: rate-limited, more transfers of one network at once than it may have', async () => {
  const film = new Uint8Array(mebibyte)
  const behind = await createShop({ database: shop.database, config: { isBehindProxy: true } })
  const cid = await behind.deps.storage.put(film, 'video/mp4')
  const ask = (address: string) =>
    behind.app.request(`/ipfs/${cid}`, { headers: { 'x-forwarded-for': address } })
  const open = await Promise.all(Array.from({ length: 8 }, (_, n) => ask(`2001:db8::${n}`)))
  expect(open.map(({ status }) => status)).toEqual(Array(8).fill(200))
  const refused = await ask('2001:db8::9')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  expect((await ask('198.51.100.1')).status).toBe(200)
  await open[0]?.body?.cancel()
  expect((await ask('2001:db8::9')).status).toBe(200)
  await open[1]?.arrayBuffer()
  expect((await ask('2001:db8::9')).status).toBe(200)
  expect((await ask('2001:db8::9')).status).toBe(429)
  await behind.close()
})

test('behavior: callers who leave while their file is looked up hold no transfer', async () => {
  const { storage } = shop.deps
  const cid = await storage.put(new Uint8Array(mebibyte).fill(3), 'video/mp4')
  const server = createServer(getRequestListener(shop.app.fetch)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const find = storage.describe
  const describe = vi.spyOn(storage, 'describe')
  for (let count = 0; count < 9; count++) {
    const socket = connect(port, '127.0.0.1')
    const hasLeft = new Promise((resolve) => {
      server.once('connection', (connection) => connection.once('close', resolve))
    })
    const isAnswered = new Promise<void>((resolve) => {
      describe.mockImplementationOnce(async (asked) => {
        socket.resetAndDestroy()
        await hasLeft
        resolve()
        return find(asked)
      })
    })
    socket.write(`GET /ipfs/${cid} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
    await isAnswered
  }
  describe.mockRestore()
  const answer = await fetch(`http://127.0.0.1:${port}/ipfs/${cid}`)
  expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, mebibyte])
  server.close()
  server.closeAllConnections()
})

test('behavior: slow readers of large files make room for others, and small files need none', async () => {
  const behind = await createShop({ database: shop.database, config: { isBehindProxy: true } })
  const film = await behind.deps.storage.put(new Uint8Array(mebibyte).fill(5), 'video/mp4')
  const small = await behind.deps.storage.put(digits, 'audio/flac')
  const ask = async (cid: string, network: number) =>
    behind.app.request(`/ipfs/${cid}`, { headers: { 'x-forwarded-for': `2001:db8:0:${network}::1` } })
  const open = await Promise.all(Array.from({ length: 64 }, (_, n) => ask(film, n >> 3)))
  expect(open.map(({ status }) => status)).toEqual(Array(64).fill(200))
  const readers = open.map(({ body }) => body?.getReader())
  // They have just begun.
  expect((await ask(film, 100)).status).toBe(429)
  expect(await (await ask(small, 100)).text()).toBe('0123456789')
  expect(await (await ask(small, 0)).text()).toBe('0123456789')
  await behind.advance(6_000)
  // The last one was fast enough.
  for (let part = 0; part < 8; part++) await readers.at(-1)?.read()
  const late = await ask(film, 100)
  expect([late.status, (await late.arrayBuffer()).byteLength]).toEqual([200, mebibyte])
  // One of the slow ones was ended for it.
  const ends = await Promise.allSettled(
    readers.map(async (reader) => {
      for (let part = await reader?.read(); part && !part.done; ) part = await reader?.read()
    }),
  )
  const ended = ends.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))
  expect(ended).toHaveLength(1)
  expect(ended).not.toContain(63)
  await behind.close()
})

test('error: rate-limited, more files of one network than it may have', async () => {
  const limits = { ...shop.deps.config.limits, filesPerMinute: 2 }
  const limited = await createShop({ config: { isBehindProxy: true, limits } })
  const cid = await limited.deps.storage.put(digits, 'audio/flac')
  const ask = async (address: string) =>
    (await limited.app.request(`/ipfs/${cid}`, { headers: { 'x-forwarded-for': address } })).status
  const statuses = [await ask('2001:db8::1'), await ask('2001:db8::2'), await ask('2001:db8::3')]
  expect(statuses).toEqual([200, 200, 429])
  expect(await ask('2001:db8:0:1::1')).toBe(200)
  await limited.close()
})

test('behavior: an empty content', async () => {
  const cid = await shop.deps.storage.put(new Uint8Array(), 'audio/flac')
  const response = await shop.app.request(`/ipfs/${cid}`)
  expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([
    200,
    '0',
    '',
  ])
})

test('behavior: the first caller to store a file does not decide its type', async () => {
  const put = (content: string, type: string) =>
    shop.deps.storage.put(new TextEncoder().encode(content), type)
  const typeOf = async (cid: string) => (await shop.app.request(`/ipfs/${cid}`)).headers.get('content-type')
  expect(await typeOf(await put('{"a":1}', 'text/html'))).toBe('application/json')
  expect(await typeOf(await put('<p>Hi</p>', 'text/html'))).toBe('application/octet-stream')
})

test.each(['bafkreinothing', '%00', 'b%00'])('error: not-found, %s', async (cid) => {
  const response = await shop.app.request(`/ipfs/${cid}`)
  expect(response.status).toBe(404)
  expect(await response.json()).toEqual({ error: true, message: 'Not found' })
})

test('error: body-too-large', async () => {
  await expect(shop.deps.storage.put(new Uint8Array(20 * mebibyte + 1), 'text/plain')).rejects.toMatchObject({
    code: 'body-too-large',
  })
})
