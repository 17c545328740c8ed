import { Collection } from 'kassa/schema'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { teaBody } from '../../helpers/createCollectionWorld.js'
import { createShop } from '../../helpers/createShop.js'
import { databaseKinds } from '../../helpers/databaseKinds.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const path = '/api/2022-06-09/collections'

describe.each(databaseKinds)('on $name', (kind) => {
  const database = openBeforeAll(() => kind.open())
  const shop = openBeforeAll(() => createShop({ database }))

  const count = async (table: string): Promise<number> => {
    const { rows } = await database.executeSql(`select count(*)::int as n from ${table}`)
    return z.parse(z.array(z.object({ n: z.number() })), rows)[0]?.n ?? -1
  }
  const fifty = (request: (index: number) => Promise<Response>) =>
    Promise.all(Array.from({ length: 50 }, (_, index) => request(index)))

  test('behavior: of fifty at once one is created, and all hear of it', async () => {
    const before = await count('collections')
    const responses = await fifty(() => shop.send('PUT', `${path}/race`, { body: teaBody }))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    const answers = await Promise.all(
      responses.map(async (response) => z.parse(Collection, await response.json())),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await count('collections')).toBe(before + 1)
    expect(await count('actions')).toBe(1)
    expect(await count(`jobs where name = 'collections.create'`)).toBe(1)
  })

  test('behavior: of fifty different ones at once one wins, and the others hear that the id is taken', async () => {
    const responses = await fifty((index) =>
      shop.send('PUT', `${path}/apart`, { body: { ...teaBody, supplyLimit: index + 1 } }),
    )
    const statuses = responses.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 409)])
  })

  test('behavior: updates at once all count, and the last one is what stays', async () => {
    await shop.send('PUT', `${path}/changing`, { body: teaBody })
    const responses = await fifty((index) =>
      shop.send('PATCH', `${path}/changing`, { body: { supplyLimit: index + 1 } }),
    )
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    const { rows } = await database.executeSql(`select revision from collections where id = 'changing'`)
    expect(rows).toEqual([{ revision: 50 }])
  })
})
