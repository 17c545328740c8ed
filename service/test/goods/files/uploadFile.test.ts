import { createClient, createCollection, uploadFile } from 'kassa/api'
import { expect, test } from 'vitest'
import { createKey } from '#identity/keys/apiKeys.js'
import { createShop } from '../../helpers/createShop.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { openConsole } from '../../helpers/openConsole.js'
import { jpeg, png, webp } from '../../helpers/pictures.js'

const shop = openBeforeAll(createShop)
const path = '/api/2022-06-09/files'
const mebibyte = 1024 * 1024

const encode = (text: string) => new TextEncoder().encode(text)
const svg = encode('<svg xmlns="http://www.w3.org/2000/svg"/>')

/** Sends a form as other clients do. The runtime chooses its boundary. */
const send = (form: FormData, headers: Record<string, string> = {}) =>
  shop.app.request(path, { method: 'POST', headers: { 'x-api-key': shop.serverKey, ...headers }, body: form })

const formOf = (...files: (Blob | string)[]): FormData => {
  const form = new FormData()
  for (const file of files) form.append('file', file)
  return form
}

test('default: an uploaded picture is served, and is the picture of a collection', async () => {
  const stored = await uploadFile(shop.client, { file: new File([png], 'gold.txt', { type: 'text/html' }) })
  const cid = stored.url.replace('ipfs://', '')
  expect(stored).toEqual({
    url: expect.stringMatching(/^ipfs:\/\/b[a-z2-7]+$/),
    gatewayUrl: `${shop.deps.config.publicUrl}/ipfs/${cid}`,
    contentType: 'image/png',
    size: png.length,
  })
  const served = await shop.app.request(`/ipfs/${cid}`)
  expect(served.headers.get('content-type')).toBe('image/png')
  expect(new Uint8Array(await served.arrayBuffer())).toEqual(png)

  const body = { chain: 'base-sepolia', metadata: { name: 'Gold', imageUrl: stored.url } } as const
  expect(await createCollection(shop.client, { body })).toMatchObject({ metadata: { imageUrl: stored.url } })
  expect(await uploadFile(shop.client, { file: new Blob([png]) })).toEqual(stored)
})

test.each([
  ['image/png', png],
  ['image/jpeg', jpeg],
  ['image/gif', encode('GIF89a')],
  ['image/webp', webp],
  ['image/avif', encode('\0\0\0\u001cftypavif')],
  ['image/svg+xml', svg],
])('behavior: %s', async (contentType, bytes) => {
  expect(await uploadFile(shop.client, { file: new Blob([bytes]) })).toMatchObject({ contentType })
})

test('error: input-invalid for bytes that only begin like a picture', async () => {
  const file = new Blob([Uint8Array.from([0xff, 0xd8, 0xff])])
  await expect(uploadFile(shop.client, { file })).rejects.toMatchObject({
    message: expect.stringContaining('file: its bytes begin like image/jpeg and are no picture'),
  })
})

test('behavior: an SVG is served so that it runs nothing', async () => {
  const { url } = await uploadFile(shop.client, { file: new Blob([svg]) })
  const served = await shop.app.request(`/ipfs/${url.replace('ipfs://', '')}`)
  expect(served.headers.get('content-security-policy')).toContain("sandbox; default-src 'none'")
})

test('behavior: a picture of 20 MiB, also if its length is not stated', async () => {
  const large = new Uint8Array(20 * mebibyte)
  large.set(encode('GIF89a'))
  const response = await send(formOf(new Blob([large])))
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ size: large.length })
})

test('behavior: any of the two scopes opens it, also from the console', async () => {
  const { environment } = shop.deps.config
  for (const scope of ['collections.create', 'nfts.create'] as const) {
    const { projectId } = shop
    const apiKey = await createKey(shop.deps, {
      environment,
      projectId,
      kind: 'server',
      scopes: [scope],
      origins: [],
    })
    expect(await uploadFile(clientOf(apiKey), { file: new Blob([png]) })).toMatchObject({ size: png.length })
  }
  const browser = await openConsole(shop, { role: 'operator' })
  const client = createClient({
    baseUrl: 'http://localhost/api',
    fetch: async (input, init) =>
      shop.app.request(String(input), {
        method: 'POST',
        headers: { cookie: browser.cookie() ?? '', 'sec-fetch-site': 'same-origin' },
        ...(init?.body && { body: init.body }),
      }),
  })
  expect(await uploadFile(client, { file: new Blob([png]) })).toMatchObject({ contentType: 'image/png' })
})

const clientOf = (apiKey: string) =>
  createClient({
    baseUrl: 'http://localhost/api',
    apiKey,
    fetch: async (input, init) => shop.app.request(String(input), init),
  })

const notPicture = 'file: expected a PNG, JPEG, GIF, WebP, AVIF or SVG picture'

test.each([
  [
    'a page under the name of a picture',
    () => formOf(new File(['<!doctype html>'], 'a.png', { type: 'image/png' })),
    notPicture,
  ],
  ['a film', () => formOf(new Blob([encode('\0\0\0\u001cftypisom')])), notPicture],
  ['an empty file', () => formOf(new Blob([])), 'file: is empty'],
  ['two files', () => formOf(new Blob([png]), new Blob([svg])), 'file: expected one file'],
  ['a text', () => formOf('gold'), 'file: required'],
  ['no field', () => formOf(), 'file: required'],
])('error: input-invalid: %s', async (_, form, message) => {
  const response = await send(form())
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({ error: true, message })
})

test.each([
  ['application/json', '{}', 'body: expected multipart/form-data with the field file'],
  ['multipart/form-data', 'x', 'body: expected multipart/form-data with the field file'],
  ['multipart/form-data; boundary=part', 'x', 'body: not valid multipart/form-data'],
])('error: input-invalid: %s with %s', async (type, body, message) => {
  const response = await shop.send('POST', path, { body, headers: { 'content-type': type } })
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({ error: true, message })
})

test('error: body-too-large', async () => {
  const tooLarge = { error: true, message: 'file: is larger than 20 MiB' }
  const byOne = new Uint8Array(20 * mebibyte + 1)
  byOne.set(png)
  const [file, stated, streamed, json] = [
    await send(formOf(new Blob([byOne]))),
    await send(formOf(new Blob([png])), { 'content-length': `${21 * mebibyte}` }),
    await send(formOf(new Blob([new Uint8Array(21 * mebibyte)])), { 'transfer-encoding': 'chunked' }),
    await shop.send('POST', path, { body: `"${'x'.repeat(mebibyte)}"` }),
  ]
  expect([file.status, stated.status, streamed.status, json.status]).toEqual([413, 413, 413, 413])
  expect([await file.json(), await stated.json(), await streamed.json()]).toEqual([
    tooLarge,
    tooLarge,
    tooLarge,
  ])
  const other = await shop.app.request('/api/2022-06-09/collections', {
    method: 'POST',
    headers: { 'x-api-key': shop.serverKey },
    body: formOf(new Blob([new Uint8Array(2 * mebibyte)])),
  })
  expect([other.status, await other.json()]).toEqual([
    413,
    { error: true, message: expect.stringContaining('1 MiB') },
  ])
})
