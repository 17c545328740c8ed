import { Wallet } from 'kassa/schema'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { wallets } from '#base/db/tables/index.js'
import { getOrCreateCustodialWallet } from '#identity/wallets/custodialWallet.js'
import { createShop } from '../../helpers/createShop.js'
import { databaseKinds } from '../../helpers/databaseKinds.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const path = '/api/2022-06-09/wallets'

describe.each(databaseKinds)('on $name', (kind) => {
  const database = openBeforeAll(() => kind.open())
  const shop = openBeforeAll(() => createShop({ database }))

  test.each(['evm-smart-wallet', 'evm-mpc-wallet'])(
    'behavior: of fifty concurrent requests of one user, %s, one is created',
    async (type) => {
      const before = await database.db.select().from(wallets)
      const spellings = ['twitter:ada', 'twitter:@Ada', 'x:ADA', 'x:@ada']
      const responses = await Promise.all(
        Array.from({ length: 50 }, (_, index) => {
          const linkedUser = spellings[index % spellings.length]
          return shop.send('POST', path, { body: { type, linkedUser } })
        }),
      )
      const statuses = responses.map(({ status }) => status).sort()
      expect(statuses).toEqual([...Array.from({ length: 49 }, () => 200), 201])
      const answers = await Promise.all(responses.map(async (one) => z.parse(Wallet, await one.json())))
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
      expect(await database.db.select().from(wallets)).toHaveLength(before.length + 1)
    },
  )

  test('behavior: a concurrent mint that needs the user’s wallet gets the same one', async () => {
    const owner = { projectId: shop.projectId, userLocator: 'email:race@example.com' }
    const body = { type: 'evm-mpc-wallet', linkedUser: 'email:Race@example.com' }
    const chain = shop.deps.chains.get(shop.deps.chains.enabled[0] ?? '')
    if (!chain) throw new Error('no chain')
    const [created, kept] = await Promise.all([
      Promise.all(Array.from({ length: 10 }, () => shop.send('POST', path, { body }))),
      Promise.all(Array.from({ length: 10 }, () => getOrCreateCustodialWallet(shop.deps, chain, owner))),
    ])
    const answers = await Promise.all(created.map(async (one) => z.parse(Wallet, await one.json())))
    expect(new Set([...answers, ...kept].map(({ address }) => address)).size).toBe(1)
  })
})
