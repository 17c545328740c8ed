import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMasterKey } from '#adapters/kms/openVault.js'
import { createVault } from '#adapters/kms/vault.js'
import type { KeyWrapper } from '#base/ports/keyWrapper.js'

/** A key service in a separate process, which creates its master key itself and cannot reveal it. */
const keyService = `
const { createCipheriv, createDecipheriv, randomBytes } = require('node:crypto')
const key = randomBytes(32)
const calls = { wrap: ({ data, context }) => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  return Buffer.concat([nonce, cipher.update(data, 'base64'), cipher.final(), cipher.getAuthTag()])
}, unwrap: ({ data, context }) => {
  const bytes = Buffer.from(data, 'base64')
  const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(context))
  cipher.setAuthTag(bytes.subarray(-16))
  return Buffer.concat([cipher.update(bytes.subarray(12, -16)), cipher.final()])
} }
require('node:http').createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  try { response.end(calls[request.url.slice(1)](JSON.parse(body)).toString('base64')) }
  catch { response.writeHead(400).end() }
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })
`

let child: ChildProcess
let wrapper: KeyWrapper
/** All data sent over the wire. */
const said: string[] = []

beforeAll(async () => {
  child = spawn(process.execPath, ['-e', keyService], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = await once(child.stdout ?? child, 'data')
  const call = async (name: string, data: Uint8Array, context: string): Promise<Uint8Array> => {
    const body = JSON.stringify({ data: Buffer.from(data).toString('base64'), context })
    const answer = await fetch(`http://127.0.0.1:${String(port).trim()}/${name}`, { method: 'POST', body })
    const text = await answer.text()
    said.push(body, text)
    if (!answer.ok) throw new Error('the key service refused')
    return Buffer.from(text, 'base64')
  }
  wrapper = {
    keyId: 'arn:aws:kms:eu-west-1:1:key/7',
    wrap: (dataKey, context) => call('wrap', dataKey, context),
    unwrap: (wrapped, context) => call('unwrap', wrapped, context),
  }
})
afterAll(async () => {
  child.kill()
  await once(child, 'exit')
})

test('default: a key service keeps the master key, and never receives a secret', async () => {
  const vault = createVault({ wrapper, randomBytes })
  const secret = randomBytes(32)
  const encrypted = await vault.encrypt(secret, 'ada')
  expect(encrypted).toMatch(/^v2\.arn:aws:kms:eu-west-1:1:key\/7\./)
  expect(Buffer.from(await vault.decrypt(encrypted, 'ada')).equals(secret)).toBe(true)
  await expect(vault.decrypt(encrypted, 'bob')).rejects.toThrow('the key service refused')
  expect(said.length).toBeGreaterThan(4)
  expect(said.join()).not.toContain(secret.toString('base64'))
})

test('behavior: a deployment moves from its own key to a key service', async () => {
  const own = createMasterKey(randomBytes(32), randomBytes)
  const before = createVault({ wrapper: own, randomBytes })
  const moving = createVault({ wrapper, others: [own], randomBytes })
  const after = createVault({ wrapper, randomBytes })
  const secret = randomBytes(32)
  const moved = await moving.rewrap(await before.encrypt(secret, 'ada'), 'ada')
  expect(Buffer.from(await after.decrypt(moved, 'ada')).equals(secret)).toBe(true)
})
