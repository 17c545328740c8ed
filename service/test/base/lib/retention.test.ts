import { randomBytes } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import {
  idempotencyKeys,
  mails,
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
} from '#base/db/tables/index.js'
import { deleteInBatches } from '#base/lib/deleteInBatches.js'
import { createUuid } from '#base/lib/uuid.js'
import { createProject } from '#identity/projects/projects.js'
import { forgetKeys } from '#interface/http/idempotencyClaims.js'
import { forgetMails } from '#notify/mails/forgetMails.js'
import { forgetEvents } from '#notify/webhooks/forgetEvents.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const dayMs = 24 * 60 * 60_000
const nowMs = 1_800_000_000_000
/** More than one batch. */
const count = 1_200
const database = openBeforeAll(createTestDatabase)
let projectId: string

beforeEach(async () => {
  await clearDatabase(database.db)
  await database.db.delete(idempotencyKeys)
  projectId = await createProject(database.db, 'shop')
})

/** Makes rows that are one to `count` hours old. */
const rows = <Row>(create: (index: number, at: Date) => Row): Row[] =>
  Array.from({ length: count }, (_, index) => create(index, new Date(nowMs - (index + 1) * 60 * 60_000)))

test('behavior: keys that are older than their time are deleted, in several batches', async () => {
  const { db } = database
  const claim = createUuid(randomBytes)
  const key = { bodyHash: 'body', claim, leaseExpiresAt: new Date(nowMs) }
  await db.insert(idempotencyKeys).values(rows((index, createdAt) => ({ id: `${index}`, ...key, createdAt })))
  await forgetKeys(db, nowMs, 48 * 60 * 60_000)
  expect(await db.$count(idempotencyKeys)).toBe(48)
})

test.each([
  [undefined, count],
  [2 * dayMs, 48],
])('behavior: e-mails kept for %s: %d', async (keepMs, left) => {
  const { db } = database
  const mail = { projectId, recipient: 'a@b.example', locale: 'en-US', kind: 'order-confirmed' as const }
  const data = {} as never
  await db.insert(mails).values(
    rows((index, createdAt) => ({
      ...mail,
      data,
      id: createUuid(randomBytes),
      createdAt,
      sentAt: index % 2 ? createdAt : null,
    })),
  )
  await forgetMails(db, nowMs, keepMs)
  expect(await db.$count(mails)).toBe(left)
})

test('behavior: events are deleted in several batches, and pending ones among the oldest stay', async () => {
  const { db } = database
  const [endpoint] = await db
    .insert(webhookEndpoints)
    .values({ projectId, url: 'https://a.example', eventTypes: [], secrets: [], createdAt: new Date(nowMs) })
    .returning()
  const event = { projectId, type: 'orders.payment.succeeded' as const, body: '{}' }
  await db.insert(webhookEvents).values(rows((index, createdAt) => ({ id: `${index}`, ...event, createdAt })))
  await db.insert(webhookDeliveries).values(
    rows((index, updatedAt) => ({
      eventId: `${index}`,
      endpointId: endpoint?.id ?? '',
      status: index >= count - 30 ? ('pending' as const) : ('succeeded' as const),
      updatedAt,
    })),
  )
  await forgetEvents(db, nowMs, 2 * dayMs)
  expect(await db.$count(webhookEvents)).toBe(48 + 30)
  expect(await db.$count(webhookDeliveries)).toBe(48 + 30)
})

test('behavior: a pass ends, however many rows there are', async () => {
  let deleted = 0
  await deleteInBatches(async (limit) => {
    deleted += limit
    return limit
  })
  expect(deleted).toBe(100_000)
})
