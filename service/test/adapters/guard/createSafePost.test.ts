import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { createSafePost } from '#adapters/guard/createSafePost.js'
import { type HttpServer, startHttpServer } from '../../helpers/startHttpServer.js'

let server: HttpServer | undefined
afterEach(() => server?.close())

const serve = async (answer: RequestListener): Promise<HttpServer> => {
  server = await startHttpServer(answer)
  return server
}

const message = {
  headers: { 'content-type': 'application/json', 'webhook-id': 'msg_1' },
  body: '{"größe":1}',
}

test('default', async () => {
  let received: unknown
  const { url } = await serve(async (request, response) => {
    received = { method: request.method, id: request.headers['webhook-id'], body: await text(request) }
    response.writeHead(204).end()
  })
  const safePost = createSafePost({ isGuarded: false })
  expect(await safePost(`${url}/hook?a=1`, message)).toEqual({ status: 204 })
  expect(received).toEqual({ method: 'POST', id: 'msg_1', body: message.body })
})

test.each([200, 302, 307, 400, 503])(
  'behavior: %i is an answer, and no redirect is followed',
  async (status) => {
    const { url, asked } = await serve((_, response) =>
      response.writeHead(status, { location: '/elsewhere' }).end('thank you'),
    )
    expect(await createSafePost({ isGuarded: false })(url, message)).toEqual({ status })
    expect(asked).toEqual(['POST /'])
  },
)

test("behavior: the answer's body is discarded, and aborted if it does not end", async () => {
  let isCut = false
  const { url } = await serve((_, response) => {
    response.on('close', () => {
      isCut = true
    })
    const chunk = Buffer.alloc(100_000)
    const more = (): void => {
      if (!response.destroyed) response.write(chunk, more)
    }
    more()
  })
  expect(await createSafePost({ isGuarded: false })(url, message)).toEqual({ status: 200 })
  await expect.poll(() => isCut).toBe(true)
})

test('error: input-invalid, no answer in time', async () => {
  const { url } = await serve(() => {})
  await expect(createSafePost({ isGuarded: false, timeoutMs: 200 })(url, message)).rejects.toMatchObject({
    code: 'input-invalid',
    message: 'did not answer in full within 0.2 seconds',
  })
})

test('error: input-invalid, an address that is not public, if posts are guarded', async () => {
  const { port, asked } = await serve((_, response) => response.end())
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
  const guarded = createSafePost({ isGuarded: true, lookup })
  for (const host of ['127.0.0.1', '[::1]', 'hooks.example'])
    await expect(guarded(`http://${host}:${port}/`, message)).rejects.toMatchObject({
      message: 'leads to an address that is not public',
    })
  expect(asked).toEqual([])
})
