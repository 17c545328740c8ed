import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#adapters/postgres/openDatabase.js'
import { findKey } from '#identity/keys/apiKeys.js'
import { runCommand } from '../../helpers/runCommand.js'
import { startPostgres } from '../../helpers/startPostgres.js'

let server: Awaited<ReturnType<typeof startPostgres>>
let databaseUrl: string
beforeAll(async () => {
  server = await startPostgres()
  databaseUrl = await server.createDatabase()
})
afterAll(() => server.stop())

const run = (...args: string[]) => runCommand({ KASSA_SANDBOX: '1', DATABASE_URL: databaseUrl }, ...args)

test('default: a project, its keys, and a revoked one', async () => {
  const project = await run('projects', 'create', 'shop')
  expect(project).toMatchObject({ status: 0, err: '' })
  expect((await run('projects', 'create', 'shop')).out).toBe(project.out)
  const { out } = await run('keys', 'create', '--project', 'shop', '--scopes', 'orders.create')
  await run('projects', 'create', 'market')
  await run('keys', 'create', '--project', 'market', '--client', '--origin', 'https://market.example')
  expect((await run('projects', 'list')).out).toMatch(
    /^id +created +name +display name\n\S+ +\S+ +market\n\S+ +\S+ +shop\n$/,
  )

  const listed = JSON.parse((await run('keys', 'list', '--project', 'shop', '--json')).out)
  expect(listed).toMatchObject([{ kind: 'server', scopes: ['orders.create'], revokedAt: null }])
  expect(JSON.stringify(listed)).not.toContain(out.trim().slice(-43))
  expect((await run('keys', 'list', '--project', 'market')).out).toMatch(
    /\n\S+ +client +\S+ +orders.create,https:\/\/market.example\n$/,
  )

  expect(await run('keys', 'revoke', listed[0].id)).toMatchObject({ status: 0 })
  const [revoked] = JSON.parse((await run('keys', 'list', '--project', 'shop', '--json')).out)
  expect(revoked.revokedAt).toEqual(expect.any(String))
  await run('keys', 'revoke', listed[0].id)
  expect(JSON.parse((await run('keys', 'list', '--project', 'shop', '--json')).out)).toEqual([revoked])

  const database = await openDatabase({ databaseUrl, dataDir: '' }, () => {})
  await expect(findKey(database.db, 'staging', out.trim())).rejects.toMatchObject({ code: 'key-invalid' })
  const { rows } = await database.executeSql('select count(*)::int as count from collections')
  expect(rows).toMatchObject([{ count: 4 }])
  await database.close()
})

test('parameters: a display name, which stays until it is changed', async () => {
  const displayNames = async () => {
    const listed: { name: string; displayName: string }[] = JSON.parse(
      (await run('projects', 'list', '--json')).out,
    )
    return listed.flatMap(({ name, displayName }) => (name === 'gallery' ? [displayName] : []))
  }
  await run('projects', 'create', 'gallery')
  expect(await displayNames()).toEqual([null])
  await run('projects', 'create', 'gallery', '--display-name', 'The Gallery')
  await run('projects', 'create', 'gallery')
  expect(await displayNames()).toEqual(['The Gallery'])
  expect((await run('projects', 'list')).out).toMatch(/ gallery +The Gallery\n/)
  await run('projects', 'create', 'gallery', '--display-name', 'Gallery 7')
  expect(await displayNames()).toEqual(['Gallery 7'])
})

test('error: a mistyped project is refused with the nearest name, and is not created', async () => {
  await run('projects', 'create', 'bookshop')
  const before = await run('projects', 'list')
  for (const command of [
    ['create', '--project', 'Bokshop', '--scopes', 'orders.create'],
    ['list', '--project', 'Bokshop'],
  ]) {
    const { status, out, err } = await run('keys', ...command)
    expect({ status, out }).toEqual({ status: 2, out: '' })
    expect(err).toContain(
      '--project: there is no project Bokshop. Did you mean bookshop? To create it: kassa-service projects create Bokshop\n',
    )
  }
  const far = await run('keys', 'create', '--project', 'elsewhere', '--scopes', 'orders.create')
  expect(far.err).toMatch(/there is no project elsewhere\. Known: .*bookshop.*\. To create it: /)
  expect(await run('projects', 'list')).toEqual(before)
})

test.each([
  ['--display-name: expected a name', ['projects', 'create', 'a', '--display-name', '']],
  ['expected the name of one project', ['projects', 'create']],
  ['expected the name of one project', ['projects', 'create', 'my', 'shop']],
  ['--project: expected a name of 1 to 100 visible characters', ['projects', 'create', 'x'.repeat(101)]],
  [
    '--display-name: expected a name of 1 to 100 visible',
    ['projects', 'create', 'a', '--display-name', 'a\u202Eb'],
  ],
  ['--project: required', ['keys', 'list']],
  ['--project: there is no project nobody', ['keys', 'list', '--project', 'nobody']],
  [
    '--scopes: there is no scope orders.fly',
    ['keys', 'create', '--project', 'shop', '--scopes', 'orders.fly'],
  ],
  ['--origin: expected', ['keys', 'create', '--project', 'shop', '--client', '--origin', 'a']],
  ['expected the id of one key', ['keys', 'revoke']],
  ['there is no key x', ['keys', 'revoke', 'x']],
])('error: %s', async (message, args) => {
  const { status, out, err } = await run(...args)
  expect({ status, out }).toEqual({ status: err.includes('See: kassa-service help') ? 2 : 1, out: '' })
  expect(err).toContain(message)
})
