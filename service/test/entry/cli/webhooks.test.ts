import { members } from 'kassa/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#adapters/postgres/openDatabase.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createWebhookWorld } from '../../helpers/createWebhookWorld.js'
import { runCommand } from '../../helpers/runCommand.js'
import { startPostgres } from '../../helpers/startPostgres.js'

let server: Awaited<ReturnType<typeof startPostgres>>
let databaseUrl: string
beforeAll(async () => {
  server = await startPostgres()
  databaseUrl = await server.createDatabase()
  await run('projects', 'create', 'shop')
})
afterAll(() => server.stop())

const runWith = (env: Record<string, string>, ...args: string[]) =>
  runCommand({ DATABASE_URL: databaseUrl, ...env }, ...args)
const run = (...args: string[]) => runWith({ KASSA_SANDBOX: '1' }, ...args)
const runJson = async (...args: string[]) => JSON.parse((await run(...args, '--json')).out)

const url = 'http://localhost:9999/hook'
const create = (...args: string[]): Promise<{ id: string; secret: string }> =>
  runJson('webhooks', 'create', '--project', 'shop', '--url', url, '--types', 'all', ...args)

test('default: created, listed, shown, given a new secret, removed', async () => {
  const said = await run('webhooks', 'create', '--project', 'shop', '--url', url, '--types', 'all')
  const [, id = '', secret = ''] =
    /^id {6}(\S{36})\nsecret {2}(whsec_[A-Za-z0-9+/]{43}=)\n$/.exec(said.out) ?? []
  expect({ status: said.status, err: said.err, isSaid: id !== '' }).toEqual({
    status: 0,
    err: '',
    isSaid: true,
  })

  const listed = await run('webhooks', 'list', '--project', 'shop')
  expect(listed.out).toMatch(new RegExp(`^id +project +url +types\n${id} +shop +${url} +all\n$`))
  expect(listed.out).not.toContain('whsec_')
  expect(await runJson('webhooks', 'show', id)).toMatchObject({
    id,
    project: 'shop',
    url,
    eventTypes: [...members.webhookEventTypes],
    secrets: [{ secret }],
  })

  const rotated = (await run('webhooks', 'rotate', id, '--keep-hours', '2')).out.trim()
  expect(rotated).toMatch(/^whsec_/)
  expect((await runJson('webhooks', 'show', id)).secrets).toEqual([
    { secret: rotated },
    { secret, expiresAt: expect.any(String) },
  ])
  expect((await run('webhooks', 'show', id)).out).toContain(`\nearlier secret  ${secret} (until `)

  expect(await run('webhooks', 'remove', id)).toMatchObject({ status: 0 })
  expect(await runJson('webhooks', 'list')).toEqual([])
  expect(await run('webhooks', 'show', id)).toMatchObject({
    status: 1,
    err: `kassa-service: there is no webhook endpoint ${id}\n`,
  })
})

test('parameters: another URL, other types; the secret stays', async () => {
  const { id, secret } = await create('--types', 'orders.quote.created')
  const moved = `${url}/moved`
  expect(await run('webhooks', 'update', id, '--url', moved)).toMatchObject({ status: 0, out: '' })
  const eventTypes = ['orders.quote.created']
  expect(await runJson('webhooks', 'show', id)).toMatchObject({
    url: moved,
    eventTypes,
    secrets: [{ secret }],
  })
  const types = 'nfts.create.failed,nfts.create.failed'
  expect(await run('webhooks', 'update', id, '--types', types)).toMatchObject({ status: 0, out: '' })
  expect(await runJson('webhooks', 'show', id)).toMatchObject({
    url: moved,
    eventTypes: ['nfts.create.failed'],
    secrets: [{ secret }],
  })
  await run('webhooks', 'remove', id)
})

test('behavior: a list is of one project, or of all', async () => {
  await run('projects', 'create', 'market')
  const inShop = await create('--types', 'nfts.create.succeeded,orders.quote.created')
  const inMarket = await create('--project', 'market')
  const ids = async (...args: string[]) =>
    (await runJson('webhooks', 'list', ...args)).map(({ id }: { id: string }) => id)
  expect(await ids('--project', 'market')).toEqual([inMarket.id])
  expect(await ids()).toEqual([inShop.id, inMarket.id])
  expect((await run('webhooks', 'list')).out).toContain('nfts.create.succeeded,orders.quote.created')
  for (const { id } of [inShop, inMarket]) await run('webhooks', 'remove', id)
})

test('behavior: types', async () => {
  expect((await run('webhooks', 'types')).out).toBe(`${members.webhookEventTypes.join('\n')}\n`)
})

test('behavior: deliveries are listed, and failed ones are replayed', async () => {
  const database = await openDatabase({ databaseUrl, dataDir: '' }, () => {})
  await clearDatabase(database.db)
  const world = await createWebhookWorld({ database, handlers: () => ({}) })
  const { id } = await world.addEndpoint()
  await world.emit()
  const [row] = await world.deliveriesTo(id)
  const eventId = row?.event_id ?? ''
  const waiting = await runJson('webhooks', 'events')
  expect((await run('webhooks', 'events')).out).toContain(`pending  0         ${waiting[0].nextAttemptAt}\n`)
  const body = JSON.parse((await run('webhooks', 'event', eventId)).out)
  expect(body).toMatchObject({ type: 'nfts.create.succeeded', actionId: 'action' })
  await database.executeSql(
    `update webhook_deliveries set status = 'failed', attempts = 8, next_attempt_at = null, last_failure = 'answered with status 500'`,
  )
  await world.close()
  await database.close()

  const failed = { eventId, endpointId: id, status: 'failed', attempts: 8 }
  expect(await runJson('webhooks', 'events', '--failed', '--endpoint', id)).toMatchObject([failed])
  expect((await run('webhooks', 'events')).out).toMatch(
    new RegExp(`${eventId} +nfts.create.succeeded +${id} +failed +8 +answered with status 500\n`),
  )
  expect(await run('webhooks', 'replay', '--failed', '--endpoint', id)).toEqual({
    status: 0,
    out: '',
    err: 'The service will send 1 again.\n',
  })
  expect(await runJson('webhooks', 'events', '--failed')).toEqual([])
  expect(await run('webhooks', 'replay', eventId)).toMatchObject({ status: 0 })
  const after = await openDatabase({ databaseUrl, dataDir: '' }, () => {})
  const { rows } = await after.executeSql(
    `select data->>'round' as round from jobs where name = 'webhooks.send' order by 1`,
  )
  await after.close()
  expect(rows).toEqual([{ round: '1' }, { round: '2' }, { round: '3' }])
  await run('projects', 'create', 'shop')
})

const required = ['--project', 'shop', '--types', 'all']
test.each([
  ['--project: required', ['create', '--url', url, '--types', 'all']],
  [
    '--project: there is no project nobody',
    ['create', '--project', 'nobody', '--url', url, '--types', 'all'],
  ],
  ['--project: there is no project nobody', ['list', '--project', 'nobody']],
  ['--url: required', ['create', ...required]],
  ['--url: expected an http or https URL', ['create', ...required, '--url', 'ftp://shop.example/']],
  ['--url: expected an http or https URL', ['create', ...required, '--url', 'hook']],
  ['--url: must not contain a user name', ['create', ...required, '--url', 'https://a:b@shop.example/']],
  ['--url: at most 2048', ['create', ...required, '--url', `https://shop.example/${'a'.repeat(2_048)}`]],
  ['--types: required', ['create', '--project', 'shop', '--url', url]],
  ['--types: expected at least one', ['create', '--project', 'shop', '--url', url, '--types', ',']],
  ['--types: there is no event type fly', ['create', '--project', 'shop', '--url', url, '--types', 'fly']],
  ['expected the id of one webhook endpoint', ['show']],
  ['there is no webhook endpoint x', ['show', 'x']],
  ['there is no webhook endpoint x', ['rotate', 'x']],
  ['there is no webhook endpoint x', ['remove', 'x']],
  ['--keep-hours: expected a whole number from 0 to 720', ['rotate', 'x', '--keep-hours', '721']],
  ['--limit: expected a whole number from 1 to 1000', ['events', '--limit', '0']],
  ['--endpoint: there is no webhook endpoint x', ['events', '--endpoint', 'x']],
  ['expected the id of one event', ['replay']],
  ['there is no event msg_x', ['replay', 'msg_x']],
  ['--endpoint: required', ['replay', '--failed']],
  ['--failed: sends every failed event', ['replay', 'msg_x', '--failed']],
  ['--colour', ['types', '--colour', 'red']],
  ['there is no webhook endpoint x', ['update', 'x', '--types', 'all']],
  ['expected --url, --types, or both', ['update', 'x']],
  ['--types: there is no event type fly', ['update', 'x', '--types', 'fly']],
  ['--url: expected an http or https URL', ['update', 'x', '--url', 'hook']],
  ['expected the id of one event', ['event']],
  ['there is no event msg_x', ['event', 'msg_x']],
  ['kassa-service webhooks: expected one of create, list, ', []],
  ['unknown command fly', ['fly']],
])('error: %s', async (message, args) => {
  const { status, out, err } = await run('webhooks', ...args)
  expect({ status, out }).toEqual({ status: err.includes('See: kassa-service help') ? 2 : 1, out: '' })
  expect(err).toContain(message)
})

test.each([
  ['expected an https URL in production', 'http://93.184.215.14/'],
  ['leads to an address that is not public', 'https://10.0.0.1/'],
  ['leads to an address that is not public', 'https://[::1]/'],
  ['leads to an address that is not public', 'https://localhost/'],
])('error: %s', async (message, to) => {
  const env = {
    KASSA_ENVIRONMENT: 'production',
    KASSA_OPERATOR_KEY: `0x${'11'.repeat(32)}`,
    KASSA_MASTER_KEY: '22'.repeat(32),
  }
  const { status, err } = await runWith(env, 'webhooks', 'create', ...required, '--url', to)
  expect({ status, isSaid: err.includes(`--url: ${message}`) }).toEqual({ status: 2, isSaid: true })
})
