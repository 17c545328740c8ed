import { expect, test } from 'vitest'
import { forgetEvents } from '#notify/webhooks/forgetEvents.js'
import { createWebhookWorld } from '../../helpers/createWebhookWorld.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const world = openBeforeAll(() => createWebhookWorld({ handlers: () => ({}) }))

const dayMs = 24 * 60 * 60_000
const settle = (condition: string) =>
  world.database.executeSql(
    `update webhook_deliveries set status = 'succeeded', updated_at = $1 where ${condition}`,
    [new Date(world.deps.now()).toISOString()],
  )
const kept = async () => {
  const { rows } = await world.database.executeSql(
    `select body::json->'data'->>'is' as what from webhook_events order by 1`,
  )
  return (rows as { what: string }[]).map(({ what }) => what)
}

test('default: an event is deleted 30 days after its last delivery ended', async () => {
  const { id } = await world.addEndpoint()
  await world.addEndpoint()
  await world.emit({ is: 'half told' })
  await settle(`endpoint_id = '${id}'`)
  await world.emit({ is: 'told' })
  await settle(`event_id = (select id from webhook_events order by created_at desc limit 1)`)
  await world.advance(29 * dayMs)
  await forgetEvents(world.deps.db, world.deps.now(), 30 * dayMs)
  expect(await kept()).toEqual(['half told', 'told'])
  await world.advance(2 * dayMs)
  await world.emit({ is: 'new' })
  await forgetEvents(world.deps.db, world.deps.now(), 30 * dayMs)
  expect(await kept()).toEqual(['half told', 'new'])
  expect(await world.deliveriesTo(id)).toHaveLength(2)
  await settle('true')
  await world.advance(31 * dayMs)
  await forgetEvents(world.deps.db, world.deps.now(), 30 * dayMs)
  expect(await kept()).toEqual([])
})
