import { readFile } from 'node:fs/promises'
import { openDatabase } from '../../service/src/adapters/postgres/openDatabase.js'
import type { OpenDatabase } from '../../service/src/base/db/openedDatabase.js'
import { migrationsFolder } from '../../service/src/base/db/schemaState.js'
import { createEndpoint } from '../../service/src/notify/webhooks/endpoints.js'
import { updateOrder } from '../../service/src/sale/orders/updateOrder.js'
import { createFakeChain } from '../../service/test/helpers/createFakeChain.js'
import { createOrderWorld } from '../../service/test/helpers/createOrderWorld.js'

/** At this distance, 82,000 orders are created in 30 days, and a million in a year. */
const msBetweenOrders = Math.round((30 * 86_400_000) / 82_000)
const ordersPerStatement = 5_000
const connections = 2
const quoteMs = 600_000
/** An id that no other number in the documents contains. */
const firstTokenId = 777_000_777n

/** The tables that a purchase writes to, in the order of their references. */
const tables = [
  'orders',
  'payment_targets',
  'payments',
  'nfts',
  'webhook_events',
  'webhook_deliveries',
  'mails',
]

/** Columns of a copied row that are not plain copies. `at` is the time of the copied order. */
const overrides: Readonly<Record<string, string>> = {
  orders: `'created_at', at, 'updated_at', at + interval '10 minutes', 'quote_expires_at', at + interval '10 minutes'`,
  payment_targets: `'watched_until', at + interval '30 days', 'live_until', at + interval '2 hours'`,
  payments: `'mined_at', at, 'block_number', 100000000 - i`,
  nfts: `'created_at', at`,
  webhook_events: `'created_at', at`,
  webhook_deliveries: `'updated_at', at, 'status', 'succeeded', 'next_attempt_at', null`,
  mails: `'created_at', at, 'sent_at', at`,
}

/** An order of the service with all its rows, which are copied. */
type Sample = { atMs: number; rows: { table: string; json: string }[] }

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Finds what must differ in every copy: ids, hashes and transactions. */
const findIds = (sample: Sample, kept: readonly string[]): string[] => {
  const text = sample.rows.map(({ json }) => json).join('\n')
  const found = text.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}|msg_[\w-]{24}/g) ?? []
  return [...new Set(found)].filter((id) => !kept.includes(id))
}

/** Returns SQL for a new id of the same form, which depends on the number `i` of the copy. */
const newId = (id: string, index: number): string => {
  const hash = `md5(i || ':${index}')`
  if (id.startsWith('msg_')) return `'msg_' || substr(${hash}, 1, 24)`
  if (id.length === 64) return `${hash} || md5(i || ':${index}b')`
  return `overlay(overlay(${hash}::uuid::text placing '4' from 15) placing '8' from 20)`
}

/** Returns SQL that copies a sample's rows of one table, for the numbers `i` from `$1` to `$2` that it is for. */
const copyRows = (
  sample: Sample,
  table: string,
  { ids, isFor }: { ids: string[]; isFor: string },
): string => {
  const now = sample.atMs
  const times = [now, now + quoteMs].flatMap((ms, index) => {
    const at = `at + interval '${index * quoteMs} ms'`
    const iso = `to_char((${at}) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    return [
      [String(ms), `floor(extract(epoch from ${at}) * 1000)::bigint::text`],
      [new Date(ms).toISOString(), iso],
    ]
  })
  const changes = [
    ...ids.map((id, index) => [id, newId(id, index)]),
    ...times,
    [String(firstTokenId), 'i::text'],
  ].filter(([from = '']) => sample.rows.some((row) => row.table === table && row.json.includes(from)))
  return sample.rows
    .filter((row) => row.table === table)
    .map(({ json }) => {
      const text = changes.reduce(
        (inner, [from = '', to = '']) => `replace(${inner}, ${quote(from)}, ${to})`,
        quote(json),
      )
      return `insert into ${table} select row.* from
        (select i, to_timestamp(($3::float8 - i * ${msBetweenOrders}::float8) / 1000) as at
          from generate_series($1::bigint, $2::bigint) as i where ${isFor}) as copy,
        lateral jsonb_populate_record(null::${table}, (${text})::jsonb || jsonb_build_object(${overrides[table]})) as row`
    })
    .join(';\n')
}

/** What lies beside the rows of orders: signed transactions, stored metadata and holdings of wallets. */
const others = [
  `insert into chain_transactions (key, chain, sender, nonce, signed_transaction, tx_id, status, block_number, created_at, ended_at)
     select 'base-sepolia:' || kind || ':' || i, 'base-sepolia', '0xoperator', i * 2 + nonce, repeat('ab', 300),
       '0x' || md5(i || kind) || md5(kind || i), 'succeeded', i, at, at
     from (select i, to_timestamp(($3::float8 - i * ${msBetweenOrders}::float8) / 1000) as at from generate_series($1::bigint, $2::bigint) as i) as copy,
       (values ('mint', 0), ('sweep', 1)) as write (kind, nonce)`,
  `insert into files (cid, content_type, bytes, created_at)
     select 'bafk' || md5(i::text), 'application/json', decode(repeat('ab', 120), 'hex'), now() from generate_series($1::bigint, $2::bigint) as i where $3::float8 > 0`,
  `insert into token_holdings (chain, contract, token_id, holder)
     select 'base-sepolia', '0xcontract', i::text, '0x' || md5((i % 100000)::text) from generate_series($1::bigint, $2::bigint) as i where $3::float8 > 0`,
]

/** Counts what the copies have added past the triggers, as the migration counts what it finds. */
const countAgain = async ({ executeSql }: OpenDatabase): Promise<void> => {
  const migration = await readFile(`${migrationsFolder}/0008_tallies.sql`, 'utf8')
  await executeSql('truncate tallies, tally_entries')
  await executeSql(migration.split('--> statement-breakpoint').at(-1) ?? '')
}

/** Writes the orders of the last months to an open database. */
const writeOrders = async (
  database: OpenDatabase,
  orderCount: number,
  say: (line: string) => void,
): Promise<void> => {
  const { db, pool } = database
  if (!pool) throw new Error('The embedded database is not for this.')
  let nowMs = Math.floor(Date.now() / 1000) * 1000 + 123
  const atMs = nowMs
  const chain = createFakeChain({ now: () => nowMs })
  const world = await createOrderWorld({ db, chains: [chain.port], now: () => nowMs })
  const { projectId } = world
  const eventTypes = ['orders.payment.succeeded', 'orders.delivery.completed'] as const
  const { id: endpointId } = await createEndpoint(world.deps, {
    projectId,
    url: 'https://shop.example/hook',
    eventTypes,
  })
  await world.createCollection({ id: 'shop' })
  await world.createCollection({ id: 'limited', supplyLimit: 1_000_000_000 })
  await database.executeSql(`update collections set next_token_id = ${firstTokenId}`)

  const create = async () =>
    (
      await world.create({
        lineItems: { collectionLocator: 'kassa:shop' },
        payment: {
          method: 'base-sepolia',
          currency: 'eth',
          payerAddress: '0x00000000000000000000000000000000000000aa',
          receiptEmail: 'buyer@example.com',
        },
      })
    ).order.orderId
  const bought = await create()
  chain.pay({ orderId: bought, currency: 'eth', units: 10n ** 16n })
  await world.look()
  await world.drain()
  const expired = await create()
  const report = { type: 'payment-reported', txId: `0x${'9f'.repeat(32)}` } as const
  await db.transaction((tx) => updateOrder(world.deps, tx, expired, report))
  nowMs += quoteMs
  await db.transaction((tx) => updateOrder(world.deps, tx, expired, { type: 'time-passed' }))

  const read = async (orderId: string): Promise<Sample> => {
    const rows = []
    for (const table of tables) {
      const found = await database.executeSql(
        `select to_json(t)::text as json from ${table} as t where to_json(t)::text like '%${orderId}%'
           ${table === 'webhook_deliveries' ? `or event_id in (select id from webhook_events where body like '%${orderId}%')` : ''}`,
      )
      for (const row of found.rows as { json: string }[]) rows.push({ table, json: row.json })
    }
    return { atMs, rows }
  }
  const samples = [
    { sample: await read(bought), isFor: 'i % 10 < 7' },
    { sample: await read(expired), isFor: 'i % 10 >= 7' },
  ]
  if (samples.some(({ sample }) => !sample.rows.some(({ table }) => table === 'orders')))
    throw new Error('no sample')
  const kept = [projectId, endpointId]
  const statements = [
    ...samples.flatMap(({ sample, isFor }) => {
      const ids = findIds(sample, kept)
      return tables.flatMap((table) => copyRows(sample, table, { ids, isFor }).split(';\n').filter(Boolean))
    }),
    ...others,
  ]

  const startedAt = performance.now()
  let next = 1
  let done = 0
  const work = async () => {
    const client = await pool.connect()
    try {
      // The copies refer to each other as the sample does.
      await client.query('set session_replication_role = replica')
      while (next <= orderCount) {
        const first = next
        const last = Math.min(first + ordersPerStatement - 1, orderCount)
        next = last + 1
        for (const statement of statements) await client.query(statement, [first, last, atMs])
        done += last - first + 1
        if (done % 50_000 === 0 || done === orderCount) {
          say(`    ${done} orders after ${Math.round((performance.now() - startedAt) / 1000)} s`)
        }
      }
    } finally {
      client.release(true)
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  await database.executeSql(
    `update orders set open_hint_at = created_at, hinted_at = created_at where created_at > now() - interval '1 day' and hinted_at is not null`,
  )
  await database.executeSql(
    `update collections set next_token_id = ${BigInt(orderCount) + firstTokenId}, allocated_count = (select count(*) from nfts where collection_id = collections.id)`,
  )
  await countAgain(database)
  await pool.query('vacuum analyze')
}

/**
 * Migrates an empty PostgreSQL database and fills it with the orders of the last months, at a pace of 82,000 in 30 days.
 * Of ten, seven were bought and delivered. The others expired after their buyers reported a transaction that does not
 * exist.
 */
export const fillDatabase = async (
  databaseUrl: string,
  orderCount: number,
  say: (line: string) => void,
): Promise<void> => {
  const database = await openDatabase({ databaseUrl, dataDir: '', isMigrating: true }, () => {})
  try {
    await writeOrders(database, orderCount, say)
  } finally {
    await database.close()
  }
}
