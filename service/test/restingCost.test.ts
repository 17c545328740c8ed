import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { createHandlers } from '#entry/createHandlers.js'
import { watchTokens } from '#holdings/tokens/watchTokens.js'
import { watchPayments } from '#sale/payments/watchPayments.js'
import { createFakeChain } from './helpers/createFakeChain.js'
import { createTestService, type TestService } from './helpers/createTestService.js'
import { databaseKinds } from './helpers/databaseKinds.js'

const chains = [
  'arbitrum-sepolia',
  'base-sepolia',
  'ethereum-sepolia',
  'mode-sepolia',
  'optimism-sepolia',
  'polygon-amoy',
  'sei-atlantic-2-testnet',
  'shape-sepolia',
  'story-testnet',
  'zora-sepolia',
]
const seconds = 16

/** What statements are for, and how often a process at rest may send one in a time, with all chains enabled. */
const causes = [
  { cause: 'the job queues', text: /^with asked as materialized/, often: 1, everySeconds: 5 },
  { cause: 'who watches a chain', text: /^insert into "leases"/, often: 1, everySeconds: 1 },
  { cause: 'wallets and contracts', text: /from "(wallets|collections)"/, often: 2, everySeconds: 15 },
  { cause: 'tokens that left', text: /from "token_holdings"/, often: chains.length, everySeconds: 60 },
  // Whatever else it is.
  { cause: 'payments and transactions', text: /^/, often: chains.length, everySeconds: 1 },
] as const

let database: OpenDatabase
let service: TestService
let counted: string[] | undefined

const query = pg.Client.prototype.query
const countQuery = function (this: pg.Client, ...parameters: Parameters<typeof query>) {
  const [statement] = parameters as unknown[]
  const { text } = typeof statement === 'string' ? { text: statement } : (statement as { text: string })
  counted?.push(text.trim())
  return query.apply(this, parameters)
}

beforeAll(async () => {
  pg.Client.prototype.query = countQuery as typeof query
  const kind = databaseKinds.find(({ name }) => name === 'PostgreSQL')
  if (!kind) throw new Error('no PostgreSQL')
  database = await kind.open()
  const ports = chains.map((chain) => createFakeChain({ now: Date.now, chain, isLocal: false }).port)
  service = await createTestService({ chains: ports, database })
})
afterAll(async () => {
  pg.Client.prototype.query = query
  await service.close()
  await database.close()
})

test('default: what a process asks the database for while nothing happens', async () => {
  await service.jobs.start(createHandlers(service.deps))
  const watchers = [watchPayments(service.deps), watchTokens(service.deps)]
  counted = []
  await sleep(seconds * 1_000)
  const statements = counted
  counted = undefined
  await Promise.all(watchers.map((watcher) => watcher.stop()))

  const causeOf = (statement: string) => causes.find(({ text }) => text.test(statement))?.cause
  for (const { cause, often, everySeconds } of causes) {
    const asked = statements.filter((statement) => causeOf(statement) === cause).length
    console.info(`${cause}: ${Math.round((asked * 60) / seconds)} statements a minute`)
    // The first is at the start. A busy machine asks less often.
    const most = often * (Math.floor(seconds / everySeconds) + 1)
    expect(asked, cause).toBeGreaterThan(0)
    expect(asked, cause).toBeLessThanOrEqual(most)
  }
})
