import { createServer } from 'node:http'
import { afterEach, expect, test, vi } from 'vitest'
import { type CreateClientParameters, createClient, getOrder, KassaError } from '../../src/api/index.js'
import { createCheckoutHandler, createServerClient } from '../../src/server/index.js'
import { useShop } from '../helpers/useShop.js'

const shop = useShop()
const orderId = '00000000-0000-4000-8000-000000000000'
const apiKey = 'sk_staging_secret'
const page = '<!doctype html><title>Shop</title>'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** Makes this process look like a page. */
const enterPage = (): void => {
  vi.stubGlobal('document', {})
  vi.stubGlobal('process', { env: {} })
}

const inPage = (work: () => unknown) => async () => {
  enterPage()
  return work()
}

/** Reads an order with a client, as a page or a server would first. */
const read = (parameters: CreateClientParameters): Promise<unknown> =>
  getOrder(createClient(parameters), { orderId, clientSecret: 'cs_x' })

/** A variable of the environment that is not set. */
const unset = (): string => JSON.parse('{}').url

/** Returns the address of a port at which nothing listens. */
const findClosedPort = async (): Promise<string> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || !address) throw new Error('the server had no port')
  return `http://127.0.0.1:${address.port}/api`
}

const answerPage = (status: number) => async () =>
  new Response(page, { status, headers: { 'content-type': 'text/html; charset=utf-8' } })

type Row = [kind: string, input: string, act: () => Promise<unknown>, code: string, sentence: string]

const rows: Row[] = [
  [
    'a server key in a page',
    'createClient',
    inPage(() => createClient({ baseUrl: '/api/checkout', apiKey })),
    'config.server-key-exposed',
    'createClient received a server key (sk_…) in a page, where everyone can read it. Revoke the key,',
  ],
  [
    'a server key in a page',
    'createClient with a space before the key',
    inPage(() => createClient({ baseUrl: '/api/checkout', apiKey: ` ${apiKey}` })),
    'config.server-key-exposed',
    'createClient received a server key (sk_…) in a page',
  ],
  [
    'a server key in a page',
    'createServerClient',
    inPage(() => createServerClient({ baseUrl: '/api/checkout', apiKey })),
    'config.in-browser',
    'createServerClient was called in a browser, where everyone can read the server key.',
  ],
  [
    'a server key in a page',
    'a request from a page to the service',
    () =>
      getOrder(
        createClient({
          ...shop.address,
          apiKey: shop.address.serverKey,
          fetch: (input, init) => {
            const headers = {
              ...Object.fromEntries(new Headers(init?.headers)),
              origin: 'https://shop.example',
            }
            return (shop.address.fetch ?? fetch)(input, { ...init, headers })
          },
        }),
        { orderId },
      ),
    'api.forbidden',
    'A server key was sent from a page of https://shop.example, where everyone can read it. Revoke this key.',
  ],
  [
    'a base URL',
    'unset',
    async () => read({ baseUrl: unset() }),
    'config.base-url-invalid',
    'baseUrl null is not set.',
  ],
  [
    'a base URL',
    'empty',
    async () => read({ baseUrl: '' }),
    'config.base-url-invalid',
    'baseUrl "" is not set.',
  ],
  [
    'a base URL',
    '/',
    async () => read({ baseUrl: '/' }),
    'config.base-url-invalid',
    'baseUrl "/" is not set.',
  ],
  [
    'a base URL',
    'unset, on a server',
    async () => createServerClient({ baseUrl: unset(), apiKey }),
    'config.base-url-invalid',
    'baseUrl null is not set. Write it like https://pay.example/api.',
  ],
  [
    'a base URL',
    'with the version',
    async () => read({ baseUrl: 'http://localhost:4000/api/2022-06-09/' }),
    'config.base-url-invalid',
    'baseUrl "http://localhost:4000/api/2022-06-09/" contains the version, which every call adds.',
  ],
  [
    'a base URL',
    'without /api',
    () => read({ ...shop.address, baseUrl: new URL(shop.address.baseUrl).origin }),
    'api.not-found',
    'Not found: the interface is at http://localhost:4000/api. End baseUrl with /api.',
  ],
  [
    'a base URL',
    'of a port at which nothing listens',
    async () => read({ baseUrl: await findClosedPort() }),
    'api.unreachable',
    '/api/2022-06-09/orders/00000000-0000-4000-8000-000000000000. Nothing was lost. Check the connection and baseUrl,',
  ],
  ...[200, 404, 405].map(
    (status): Row => [
      'a base URL',
      `of a server that answers with a page and status ${status}`,
      () => read({ baseUrl: 'http://localhost:3000/api', fetch: answerPage(status) }),
      'api.invalid-answer',
      `Unexpected response from http://localhost:3000/api/2022-06-09/orders/${orderId} (a web page). Check that baseUrl points to a checkout service, with /api.`,
    ],
  ),
]

const failureOf = async (act: () => Promise<unknown>): Promise<unknown> => {
  try {
    return await act()
  } catch (error) {
    return error
  } finally {
    vi.unstubAllGlobals()
  }
}

test.each(rows)('error: %s: %s', async (_kind, _input, act, code, sentence) => {
  const error = await failureOf(act)
  if (!(error instanceof KassaError)) throw new Error(`no error of the library: ${String(error)}`)
  expect({ code: error.code, message: error.message }).toEqual({
    code,
    message: expect.stringContaining(sentence),
  })
  expect(error.message).not.toContain(apiKey)
})

test('behavior: a busy service whose proxy answers with a page is away, and may be asked again', async () => {
  expect(
    await failureOf(() => read({ baseUrl: 'http://localhost:3000/api', fetch: answerPage(503) })),
  ).toMatchObject({ code: 'api.unavailable', retryable: true })
})

test.each([
  ['unset', unset, 'api.test', 'config.base-url-invalid'],
  ['of a server that answers with pages', () => 'http://localhost:3000/api', '', 'api.invalid-answer'],
])(
  'error: a handler whose base URL is %s reports it at its first request',
  async (_name, baseUrl, _at, code) => {
    const told: unknown[] = []
    const handle = createCheckoutHandler({
      baseUrl: baseUrl(),
      apiKey,
      createOrder: () => ({ lineItems: [] }),
      fetch: answerPage(404),
      onError: (error) => told.push(error),
    })
    const request = new Request(`http://shop.test/api/checkout/2022-06-09/orders/${orderId}`, {
      headers: { authorization: 'cs_x' },
    })
    expect((await handle(request)).status).toBe(500)
    expect(told).toMatchObject([{ code }])
  },
)

test('behavior: a server key works on a server, and in a test of a server that has a document', () => {
  expect(createClient({ baseUrl: 'http://localhost:4000/api', apiKey }).apiKey).toBe(apiKey)
  vi.stubGlobal('document', {})
  expect(createClient({ baseUrl: 'http://localhost:4000/api', apiKey }).apiKey).toBe(apiKey)
})
