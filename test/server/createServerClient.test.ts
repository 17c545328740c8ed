import { createServerClient, isKassaError, listOrders } from 'kassa/server'
import { afterEach, expect, test, vi } from 'vitest'
import { createClient } from '../../src/api/index.js'
import { orderQueryKey } from '../../src/query.js'

const baseUrl = 'http://service.test/api'
const apiKey = 'sk_staging_x'

afterEach(() => {
  vi.unstubAllGlobals()
})

const codeOf = (work: () => unknown): string | undefined => {
  try {
    work()
    return undefined
  } catch (error) {
    if (!isKassaError(error)) throw error
    return error.code
  }
}

test('default', async () => {
  const asked: string[] = []
  const client = createServerClient({
    baseUrl: `${baseUrl}/`,
    apiKey: `${apiKey}\n`,
    fetch: async (input, init) => {
      asked.push(String(input), String(new Headers(init?.headers).get('x-api-key')))
      return Response.json({ data: [] })
    },
  })
  expect(await listOrders(client)).toEqual({ data: [] })
  expect(asked).toEqual([`${baseUrl}/2022-06-09/orders`, apiKey])
})

test('parameters: publicBaseUrl has a browser find what the server has read', () => {
  const onServer = createServerClient({ baseUrl, apiKey, publicBaseUrl: '/api/checkout/' })
  const inBrowser = createClient({ baseUrl: '/api/checkout' })
  expect(orderQueryKey(onServer, 'x')).toEqual(orderQueryKey(inBrowser, 'x'))
  expect(orderQueryKey(createServerClient({ baseUrl, apiKey }), 'x')).not.toEqual(
    orderQueryKey(inBrowser, 'x'),
  )
  expect(JSON.stringify(orderQueryKey(onServer, 'x'))).not.toContain('service.test')
})

test.each([undefined, '', '  ', 'ck_staging_x', 'sk_a\nb', 'sk_ä'])(
  'error: config.key-invalid for %j, which no message holds',
  (key) => {
    try {
      createServerClient({ baseUrl, apiKey: key })
      expect.unreachable()
    } catch (error) {
      expect(isKassaError(error, 'config.key-invalid')).toBe(true)
      if (key?.trim()) expect(String(error)).not.toContain(key)
    }
  },
)

test('error: config.in-browser', () => {
  vi.stubGlobal('document', {})
  vi.stubGlobal('process', { env: {} })
  expect(codeOf(() => createServerClient({ baseUrl, apiKey }))).toBe('config.in-browser')
  // All that a client component's author sees is the message.
  expect(() => createServerClient({ baseUrl, apiKey })).toThrow('kassa/errors/config.in-browser.md')
  vi.stubGlobal('process', undefined)
  expect(codeOf(() => createServerClient({ baseUrl, apiKey }))).toBe('config.in-browser')
})

test('error: config.in-browser in an app of React Native', () => {
  vi.stubGlobal('navigator', { product: 'ReactNative' })
  expect(codeOf(() => createServerClient({ baseUrl, apiKey }))).toBe('config.in-browser')
})

test('behavior: a test of a server that has a document is a server', () => {
  vi.stubGlobal('document', {})
  expect(createServerClient({ baseUrl, apiKey }).hasHttpCache).toBe(false)
})

test('behavior: a worker at the edge is a server', () => {
  vi.stubGlobal('process', undefined)
  vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' })
  expect(codeOf(() => createServerClient({ baseUrl, apiKey }))).toBe(undefined)
})
