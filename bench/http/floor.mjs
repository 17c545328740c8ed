import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import process from 'node:process'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import * as z from 'zod/mini'

/**
 * The least that a server in this stack can do: Hono, one schema, and one statement. It knows no keys, limits,
 * prices or chains.
 * @typedef {{ databaseUrl: string, document: unknown }} FloorParameters `document`: what a row stores
 */

/** @type {FloorParameters} */
const { databaseUrl, document } = (await once(process, 'message'))[0]
/** @typedef {{ query(statement: object | string): Promise<{ rows: { text: string }[] }> }} Pool */
/** @type {{ Pool: new (options: object) => Pool }} */
const pg = createRequire(new URL('../../service/package.json', import.meta.url))('pg')
// As many connections as the service has.
const pool = new pg.Pool({ connectionString: databaseUrl, max: 16 })
await pool.query('create table rows (id uuid primary key, created_at timestamptz not null, document jsonb)')

const stored = JSON.stringify(document)
const Body = z.looseObject({ recipient: z.unknown(), lineItems: z.optional(z.unknown()) })
const app = new Hono()

app.post('/rows', async (c) => {
  z.parse(Body, await c.req.json())
  const id = randomUUID()
  await pool.query({
    name: 'insert',
    text: 'insert into rows values ($1, now(), $2)',
    values: [id, stored],
  })
  return c.json({ id, document }, 201)
})

app.get('/rows/:id', async (c) => {
  const { rows } = await pool.query({
    name: 'select',
    // The driver parses a document that it is given as one.
    text: 'select document::text as text from rows where id = $1',
    values: [c.req.param('id')],
  })
  const text = rows[0]?.text ?? ''
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`
  if (c.req.header('if-none-match') === etag) return c.body(null, 304, { etag })
  return c.body(text, 200, { etag, 'content-type': 'application/json' })
})

serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => process.send?.(port))
process.on('disconnect', () => process.exit(0))
