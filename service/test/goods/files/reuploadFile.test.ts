import { count } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isPublicAddress } from '#adapters/guard/checkUrl.js'
import { createSafeFetch } from '#adapters/guard/createSafeFetch.js'
import { files } from '#base/db/tables/index.js'
import { reuploadFile } from '#goods/files/linkedFiles.js'
import { createShop, type Shop } from '../../helpers/createShop.js'
import { ipfsCid } from '../../helpers/ipfsCid.js'
import { type HttpServer, startHttpServer } from '../../helpers/startHttpServer.js'

const picture = Buffer.alloc(700_000, 'picture')

const isPublic = (address: string) => address === '127.0.0.1' || isPublicAddress(address)

let server: HttpServer
let shop: Shop
beforeAll(async () => {
  server = await startHttpServer((request, response) => {
    if (request.url === '/a.png') return response.setHeader('content-type', 'image/png').end(picture)
    if (request.url === '/inside') return response.writeHead(302, { location: 'http://10.0.0.1/' }).end()
    if (request.url === '/loop') return response.writeHead(302, { location: '/loop' }).end()
    if (request.url === '/huge') {
      response.setHeader('content-length', 5 * 1024 ** 3)
      return response.write('begins')
    }
    if (request.url === '/silent') return
    if (request.url !== '/endless') return response.writeHead(404).end('who asks?')
    const chunk = Buffer.alloc(1024 * 1024)
    const more = (): void => {
      if (!response.destroyed) response.write(chunk, more)
    }
    more()
  })
  shop = await createShop({ network: { safeFetch: createSafeFetch({ isPublic }) } })
})
afterAll(async () => {
  await shop.close()
  await server.close()
})

test('default', async () => {
  const uri = await reuploadFile(shop.deps, 'metadata.image', `${server.url}/a.png`)
  expect(uri).toBe(`ipfs://${ipfsCid(picture)}`)
  const response = await shop.app.request(uri.replace('ipfs://', '/ipfs/'))
  expect(response.headers.get('content-type')).toBe('image/png')
  expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), picture)).toBe(0)
})

test.each(['ipfs://bafy/1.png', 'ar://abc', 'IPFS://bafy'])('parameters: %s stays', async (url) => {
  expect(await reuploadFile(shop.deps, 'metadata.image', url)).toBe(url)
})

test.each([
  ['http://10.0.0.1/a.png', 'leads to an address that is not public'],
  ['HTTP://169.254.169.254/latest/meta-data', 'leads to an address that is not public'],
  ['http://[::1]/a.png', 'leads to an address that is not public'],
  ['/inside', 'leads to an address that is not public'],
  ['/loop', 'redirects in a loop'],
  ['/huge', 'is larger than 20 MiB'],
  ['/endless', 'is larger than 20 MiB'],
  ['/silent', 'did not answer in full within 1 seconds'],
  ['/nothing', 'answered with status 404'],
])('error: input-invalid, %s', async (path, problem) => {
  const countFiles = async () => (await shop.deps.db.select({ count: count() }).from(files))[0]?.count
  const before = await countFiles()
  const url = path.startsWith('/') ? `${server.url}${path}` : path
  const impatient = createSafeFetch({ isPublic, timeoutMs: 1_000 })
  const deps = path === '/silent' ? { ...shop.deps, safeFetch: impatient } : shop.deps
  await expect(reuploadFile(deps, 'metadata.image', url)).rejects.toMatchObject({
    name: 'ServiceError',
    code: 'input-invalid',
    message: `metadata.image: ${problem}`,
  })
  expect(await countFiles()).toBe(before)
})
