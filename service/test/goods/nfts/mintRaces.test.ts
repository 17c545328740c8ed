import { and, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { actions, collections, nfts, wallets } from '#base/db/tables/index.js'
import { findCollection } from '#goods/collections/findCollection.js'
import { mintBody } from '../../helpers/createNftWorld.js'
import { createShop } from '../../helpers/createShop.js'
import { databaseKinds } from '../../helpers/databaseKinds.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const path = '/api/2022-06-09/collections'

describe.each(databaseKinds)('on $name', (kind) => {
  const database = openBeforeAll(() => kind.open())
  const shop = openBeforeAll(() => createShop({ database }))

  const create = async (id: string, body: object) => {
    const terms = { chain: 'base-sepolia', metadata: { name: id }, ...body }
    expect((await shop.send('PUT', `${path}/${id}`, { body: terms })).status).toBe(200)
  }
  const send = async (method: string, at: string, body: object) => {
    const response = await shop.send(method, `${path}${at}`, { body })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const rowsOf = (collectionId: string) =>
    database.db
      .select()
      .from(nfts)
      .where(and(eq(nfts.projectId, shop.projectId), eq(nfts.collectionId, collectionId)))
  const countJobs = async (name: string, collectionId: string) => {
    const { rows } = await database.executeSql(
      `select count(*)::int as n from jobs where name = $1 and data ->> 'collectionId' = $2`,
      [name, collectionId],
    )
    return (rows as { n: number }[])[0]?.n
  }

  test('default: of 200 concurrent requests for 100 tokens, 100 are minted and 100 refused', async () => {
    await create('hundred', { supplyLimit: 100 })
    const results = await Promise.all(
      Array.from({ length: 200 }, (_, at) =>
        send('POST', '/hundred/nfts', { ...mintBody, recipient: `userId:${at}:base-sepolia` }),
      ),
    )
    const minted = results.filter(({ status }) => status === 200)
    const refused = results.filter(({ status }) => status === 409)
    expect([minted.length, refused.length]).toEqual([100, 100])
    expect(new Set(refused.map(({ body }) => body.message))).toEqual(
      new Set(['Collection hundred is sold out: all 100 tokens of its supply limit are minted']),
    )
    const rows = await rowsOf('hundred')
    expect(new Set(rows.map(({ tokenId }) => tokenId)).size).toBe(100)
    expect(await database.db.$count(wallets)).toBe(100)
    expect(await database.db.$count(actions, eq(actions.action, 'nfts.create'))).toBe(100)
    expect((await findCollection(database.db, shop.projectId, 'hundred'))?.allocatedCount).toBe(100)
    expect(await countJobs('nfts.gather', 'hundred')).toBe(1)
  })

  test('behavior: concurrent requests leave what paid orders reserve', async () => {
    await create('reserved', { supplyLimit: 10 })
    await database.db.update(collections).set({ reservedCount: 8 }).where(eq(collections.id, 'reserved'))
    const results = await Promise.all(
      Array.from({ length: 5 }, () => send('POST', '/reserved/nfts', mintBody)),
    )
    expect(results.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409])
    expect(await rowsOf('reserved')).toHaveLength(2)
  })

  test('behavior: one id, 50 times at once, gives one token and one answer', async () => {
    await create('once', {})
    const results = await Promise.all(
      Array.from({ length: 50 }, () => send('PUT', '/once/nfts/mine', mintBody)),
    )
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(results.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(await rowsOf('once')).toHaveLength(1)
    expect((await findCollection(database.db, shop.projectId, 'once'))?.allocatedCount).toBe(1)
  })

  test('behavior: of two concurrent contents for one id, one wins and the other gets a conflict', async () => {
    await create('duel', {})
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        send('PUT', '/duel/nfts/mine', { ...mintBody, locale: at % 2 ? 'de-DE' : 'fr-FR' }),
      ),
    )
    const count = (status: number) => results.filter((result) => result.status === status).length
    expect([count(200), count(409)]).toEqual([10, 10])
    expect(await rowsOf('duel')).toHaveLength(1)
  })

  test('behavior: a template’s limit and its collection’s both apply', async () => {
    await create('both', { supplyLimit: 15, fungibility: 'semi-fungible' })
    const template = await send('POST', '/both/templates', {
      metadata: mintBody.metadata,
      supply: { limit: 10 },
    })
    const { templateId } = template.body
    const copy = { ...mintBody, metadata: undefined, templateId }
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, at) => send('POST', '/both/nfts', at % 2 ? copy : mintBody)),
    )
    expect(results.filter(({ status }) => status === 200)).toHaveLength(15)
    expect(results.filter(({ status }) => status === 409)).toHaveLength(25)
    const rows = await rowsOf('both')
    expect(rows.filter((row) => row.templateId === templateId).length).toBeLessThanOrEqual(10)
  })

  test('behavior: one user in two collections at once has one wallet', async () => {
    await create('left', {})
    await create('right', {})
    const body = { ...mintBody, recipient: 'twitter:both:base-sepolia' }
    await Promise.all(
      Array.from({ length: 20 }, (_, at) => send('POST', `/${at % 2 ? 'left' : 'right'}/nfts`, body)),
    )
    const owners = [...(await rowsOf('left')), ...(await rowsOf('right'))].map(({ owner }) => owner)
    expect(owners).toHaveLength(20)
    expect(new Set(owners).size).toBe(1)
  })
})
