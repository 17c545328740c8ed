import { listAuditEntries } from 'kassa/api'
import { expect, test } from 'vitest'
import { auditEntries } from '#base/db/tables/index.js'
import { createShop, orderBody, ordersPath } from '../../helpers/createShop.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { openConsole } from '../../helpers/openConsole.js'

const shop = openBeforeAll(createShop)

const newest = async () => (await listAuditEntries(shop.client)).data

test('default', async () => {
  const browser = await openConsole(shop, { email: 'ada@example.com' })
  const { orderId, path } = await shop.createOrder()
  await browser.request('POST', `${path}/refresh`, { body: {} })
  const [event] = await newest()
  expect(event).toEqual({
    entryId: expect.any(String),
    actor: { name: 'ada@example.com', accountId: expect.any(String) },
    operation: 'refreshOrder',
    resource: `orderId=${orderId}`,
    outcome: 'succeeded',
    requestId: expect.stringMatching(/^req_/),
    ipAddress: expect.any(String),
    createdAt: expect.any(String),
  })
})

test('behavior: refusals and failures are written, and reads and keys are not', async () => {
  const browser = await openConsole(shop)
  const { path } = await shop.createOrder()
  const before = await shop.deps.db.$count(auditEntries)
  await browser.request('GET', ordersPath)
  await shop.send('POST', `${path}/refresh`, { body: {} })
  expect(await shop.deps.db.$count(auditEntries)).toBe(before)
  await browser.request('POST', `${path}/refunds`, { body: { amount: '1' } })
  expect((await newest())[0]).toMatchObject({ operation: 'createRefund', outcome: 'refused' })
})

test('behavior: an export is written, as it leaves with everything', async () => {
  const browser = await openConsole(shop, { email: 'exporting@example.com' })
  const before = await shop.deps.db.$count(auditEntries)
  const path = '/api/2022-06-09/orders.csv'
  expect((await browser.request('GET', path)).status).toBe(200)
  expect((await newest())[0]).toMatchObject({
    operation: 'exportOrders',
    outcome: 'succeeded',
    actor: { name: 'exporting@example.com' },
  })
  await shop.send('GET', path)
  expect(await shop.deps.db.$count(auditEntries)).toBe(before + 1)
})

test('behavior: no body and no secret is written', async () => {
  const browser = await openConsole(shop)
  const secret = 'a-very-private-name'
  const headers = { 'x-idempotency-key': secret }
  const body = { ...orderBody, metadata: { secret } }
  const first = await browser.request('POST', ordersPath, { body, headers })
  expect(first.status).toBe(201)
  const text = await first.text()
  const again = await browser.request('POST', ordersPath, { body, headers })
  expect(await again.text()).toBe(text)
  const rows = JSON.stringify(await shop.deps.db.select().from(auditEntries))
  expect(rows).not.toContain(secret)
  expect(rows).not.toContain(browser.cookie()?.split('=')[1])
  expect(rows).not.toContain(JSON.parse(text).clientSecret)
})

test('behavior: pages lead from the newest act to the oldest and back', async () => {
  const seen: string[] = []
  let cursor: string | undefined
  let back: string | undefined
  do {
    const page = await listAuditEntries(shop.client, { limit: 2, cursor })
    seen.push(...page.data.map(({ entryId }) => entryId))
    cursor = page.nextCursor ?? undefined
    back = page.previousCursor ?? back
  } while (cursor)
  expect(seen).toEqual((await newest()).map(({ entryId }) => entryId))
  const previous = await listAuditEntries(shop.client, { limit: 2, cursor: back })
  expect(seen.join()).toContain(previous.data.map(({ entryId }) => entryId).join())
})

test('behavior: an act whose process ended stays pending', async () => {
  const { db } = shop.deps
  const { path } = await shop.createOrder()
  const browser = await openConsole(shop)
  const update = db.update.bind(db)
  db.update = ((table: never) => {
    if (table === auditEntries) throw new Error('the process ended')
    return update(table)
  }) as typeof db.update
  await browser.request('POST', `${path}/refresh`, { body: {} }).catch(() => undefined)
  db.update = update
  expect((await newest())[0]).toMatchObject({ operation: 'refreshOrder', outcome: 'pending' })
})
