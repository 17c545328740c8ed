import { setTimeout as sleep } from 'node:timers/promises'
import { CreateOrderAnswer } from 'kassa/schema'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createProject, findProject } from '#identity/projects/projects.js'
import { claimKey, completeKey } from '#interface/http/idempotencyClaims.js'
import { openReply } from '#interface/http/sealReply.js'
import { createShop, orderBody, ordersPath } from '../../helpers/createShop.js'
import { databaseKinds } from '../../helpers/databaseKinds.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { type Browser, openConsole } from '../../helpers/openConsole.js'

const day = 24 * 60 * 60_000

describe.each(databaseKinds)('on $name', (kind) => {
  const database = openBeforeAll(() => kind.open())
  const shop = openBeforeAll(() => createShop({ database }))

  const create = (idempotencyKey: string, body: unknown = orderBody, key = shop.serverKey) =>
    shop.send('POST', ordersPath, { body, key, headers: { 'x-idempotency-key': idempotencyKey } })
  const countOrders = async (): Promise<number> => {
    const { rows } = await shop.database.executeSql('select count(*)::int as n from orders')
    return (rows as { n: number }[])[0]?.n ?? -1
  }

  test('default', async () => {
    const first = await create('default')
    const again = await create('default')
    expect(first.status).toBe(201)
    expect(again.status).toBe(201)
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
    expect(await again.text()).toBe(await first.text())
  })

  test('behavior: of twenty concurrent requests one happens, and all get its answer', async () => {
    const before = await countOrders()
    const responses = await Promise.all(Array.from({ length: 20 }, () => create('race')))
    const texts = await Promise.all(responses.map((response) => response.text()))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(texts).size).toBe(1)
    expect(await countOrders()).toBe(before + 1)
  })

  test('behavior: another key, caller or path is another request', async () => {
    const texts = await Promise.all(
      [
        await create('mine of twenty-two signs'),
        await create('yours'),
        await create('mine of twenty-two signs', orderBody, shop.clientKey),
      ].map((response) => response.text()),
    )
    expect(new Set(texts).size).toBe(3)
  })

  test('behavior: two people of one project who send one key are served once each', async () => {
    const people = [await openConsole(shop), await openConsole(shop)]
    const before = await countOrders()
    const send = (person: Browser) =>
      person.request('POST', ordersPath, {
        body: orderBody,
        headers: { 'x-idempotency-key': 'shared by two' },
      })
    const ask = async () => {
      const answers = await Promise.all(people.map(send))
      expect(answers.map(({ status }) => status)).toEqual([201, 201])
      return Promise.all(answers.map((response) => response.text()))
    }
    const first = await ask()
    expect(new Set(first).size).toBe(2)
    expect(await ask()).toEqual(first)
    expect(await countOrders()).toBe(before + 2)
  })

  test('behavior: the same content in another order of its fields is the same body', async () => {
    const { lineItems, payment, recipient } = orderBody
    const first = await create('order', {
      recipient,
      payment,
      lineItems,
      metadata: { a: 1, b: [{ c: 2, d: 3 }] },
    })
    const turned = { metadata: { b: [{ d: 3, c: 2 }], a: 1 }, lineItems, payment, recipient }
    const again = await create('order', JSON.stringify(turned, null, 2))
    expect([first.status, again.status]).toEqual([201, 201])
    expect(await again.text()).toBe(await first.text())
    expect((await create('order', { ...turned, metadata: { a: 1, b: [{ c: 3, d: 2 }] } })).status).toBe(409)
  })

  test('behavior: a refusal wrote nothing, and is not stored', async () => {
    const countKeys = async () => {
      const { rows } = await shop.database.executeSql('select count(*)::int as n from idempotency_keys')
      return (rows as { n: number }[])[0]?.n
    }
    const before = [await countOrders(), await countKeys()]
    const missing = { ...orderBody, lineItems: { collectionLocator: 'kassa:nothing' } }
    const statuses = [
      (await create('refused', '{')).status,
      (await create('refused', { ...orderBody, lineItems: [] })).status,
      (await create('refused', missing)).status,
    ]
    expect(statuses).toEqual([400, 400, 404])
    expect([await countOrders(), await countKeys()]).toEqual(before)
    expect((await create('refused')).status).toBe(201)
  })

  test('error: input-invalid, a guessable key, with a client key', async () => {
    const refused = await create('x'.repeat(21), orderBody, shop.clientKey)
    expect(refused.status).toBe(400)
    expect(await refused.json()).toEqual({
      error: true,
      message: expect.stringContaining('x-idempotency-key: expected 22 to 255 characters with a client key'),
    })
    expect((await create('x'.repeat(22), orderBody, shop.clientKey)).status).toBe(201)
    expect((await create('x')).status).toBe(201)
  })

  test('behavior: a replay still has the allowance and a new request id', async () => {
    const first = await create('headers')
    const again = await create('headers')
    expect(again.headers.get('ratelimit-limit')).toBe('100000')
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
    expect(again.headers.get('access-control-allow-origin')).toBe('*')
  })

  test('behavior: a failure is not stored', async () => {
    const bad = await create('retry', { ...orderBody, lineItems: [] })
    expect(bad.status).toBe(400)
    expect((await create('retry')).status).toBe(201)
  })

  test('behavior: the secret in a stored answer is not in the database', async () => {
    const { clientSecret } = z.parse(CreateOrderAnswer, await (await create('secret')).json())
    const { rows } = await shop.database.executeSql(
      `select encode(reply, 'hex') as reply, * from idempotency_keys`,
    )
    expect(rows.length).toBeGreaterThan(0)
    const stored = JSON.stringify(rows)
    expect(stored).not.toContain(clientSecret)
    expect(stored).not.toContain(Buffer.from(clientSecret).toString('hex'))
    expect(stored).not.toContain(shop.serverKey)
    expect(stored).not.toContain('"secret"')
  })

  test('behavior: an answer is deleted after a day', async () => {
    const first = await (await create('day')).text()
    await shop.advance(day - 60_000)
    expect(await (await create('day')).text()).toBe(first)
    await shop.advance(120_000)
    expect(await (await create('day')).text()).not.toBe(first)
  })

  test('behavior: a request that waits for a dead process takes over when the lease ends', async () => {
    const path = `${ordersPath}/${(await shop.createOrder()).orderId}/refresh`
    const refresh = () =>
      shop.send('POST', path, { headers: { 'x-idempotency-key': 'died' } }).then(({ status }) => status)
    await refresh()
    await shop.database.executeSql(
      `update idempotency_keys set reply = null, status = null, claim = gen_random_uuid()
       where created_at = (select max(created_at) from idempotency_keys)`,
    )
    const waiting = refresh()
    await sleep(300)
    expect(await Promise.race([waiting, sleep(10, 'waiting')])).toBe('waiting')
    await shop.advance(31_000)
    expect(await waiting).toBe(200)
  })

  test('behavior: a process that lost its claim rolls back its work', async () => {
    const { db, now } = shop.deps
    const keepMs = 24 * 60 * 60_000
    const first = await claimKey(db, { id: 'lost', bodyHash: 'body' }, { nowMs: now(), keepMs })
    const second = await claimKey(db, { id: 'lost', bodyHash: 'body' }, { nowMs: now() + 31_000, keepMs })
    expect([first.status, second.status]).toEqual(['ours', 'ours'])
    const late = db.transaction(async (tx) => {
      await createProject(tx, 'written too late')
      const claim = first.status === 'ours' ? first.claim : ''
      await completeKey(tx, { id: 'lost', claim, status: 201, reply: new Uint8Array([1]) })
    })
    await expect(late).rejects.toMatchObject({ code: 'conflict' })
    expect(await findProject(db, 'written too late')).toBeUndefined()
  })

  test('behavior: a stored answer cannot be read without the credential', async () => {
    await create('sealed')
    const { rows } = await shop.database.executeSql(
      `select reply from idempotency_keys where reply is not null order by created_at desc limit 1`,
    )
    const { reply } = (rows as { reply: Uint8Array }[])[0] ?? { reply: new Uint8Array() }
    expect(openReply(reply, shop.serverKey, 'sealed')).toContain('"clientSecret":"cs_')
    expect(() => openReply(reply, shop.clientKey, 'sealed')).toThrow()
    expect(() => openReply(reply, shop.serverKey, 'other')).toThrow()
  })

  test('error: conflict, for another body', async () => {
    await create('body')
    const response = await create('body', { ...orderBody, locale: 'de-DE' })
    expect(response.status).toBe(409)
    expect(await response.json()).toEqual({
      error: true,
      message: expect.stringContaining('x-idempotency-key'),
    })
  })

  test('error: input-invalid, for a key that is too long', async () => {
    expect((await create('x'.repeat(256))).status).toBe(400)
    expect((await create('x'.repeat(255))).status).toBe(201)
  })
})
