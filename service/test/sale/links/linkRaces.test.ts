import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import type { Deps } from '#base/deps.js'
import { createPaymentLink } from '#sale/links/createPaymentLink.js'
import { orderByLink, requireLink } from '#sale/links/openLink.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, type OrderWorld, recipientAddress } from '../../helpers/createOrderWorld.js'
import { databaseKinds } from '../../helpers/databaseKinds.js'
import { meet } from '../../helpers/meet.js'

describe.each(databaseKinds.filter(({ name }) => name === 'PostgreSQL'))('on $name', (kind) => {
  let url: string
  let database: OpenDatabase
  let another: OpenDatabase
  let world: OrderWorld
  /** The same service as in another process, with its own connections. */
  let beside: Deps

  beforeAll(async () => {
    const opened = await kind.open()
    database = opened
    url = opened.url ?? ''
    another = await kind.open(url)
    const fake = createFakeChain({ now: Date.now })
    world = await createOrderWorld({ db: database.db, chains: [fake.port], now: Date.now })
    beside = { ...world.deps, db: another.db }
    await world.createCollection({ id: 'tea' })
  })
  afterAll(async () => {
    await database.close()
    await another.close()
  })

  test('behavior: two processes never take more orders than a link may be used', async () => {
    const lineItems = [{ collectionLocator: 'kassa:tea' }]
    const { paymentLinkId } = await createPaymentLink(world.deps, world.serverCall, { lineItems, maxUses: 1 })
    const link = await requireLink(world.deps, paymentLinkId)
    const recipient = { walletAddress: recipientAddress }
    const order = (deps: Deps) => () => orderByLink(deps, { link, client: {} }, { recipient })
    const settled = await meet(
      url,
      { text: 'select * from payment_links where id = $1 for update', values: [paymentLinkId] },
      [order(world.deps), order(beside)],
    )
    expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const refused = settled.find(({ status }) => status === 'rejected')
    expect(refused).toMatchObject({ reason: { code: 'conflict' } })
  })
})
