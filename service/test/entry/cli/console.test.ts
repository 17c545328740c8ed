import { afterAll, beforeAll, expect, test } from 'vitest'
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

const run = (...args: string[]) => runCommand({ KASSA_SANDBOX: '1', DATABASE_URL: databaseUrl }, ...args)
const invite = (...args: string[]) => run('console', 'invite', '--project', 'shop', ...args)

test('default', async () => {
  expect(await invite()).toEqual({
    status: 0,
    out: expect.stringMatching(/^http:\/\/localhost:4000\/console\/link#once_[\w-]{43}\n$/),
    err: 'This link creates one account. It works once, within a day. Share it only with that person.\n',
  })
  expect(await run('console', 'accounts', '--project', 'shop', '--json')).toMatchObject({ out: '[]\n' })
})

test('error: a project, a role, an e-mail address and an account that cannot be', async () => {
  expect(await run('console', 'invite', '--project', 'none')).toMatchObject({
    status: 2,
    err: expect.stringContaining('--project: there is no project none'),
  })
  expect(await invite('--role', 'boss')).toMatchObject({
    status: 2,
    err: expect.stringContaining('--role: expected one of owner, operator, support, viewer'),
  })
  expect(await invite('--email', 'ada')).toMatchObject({
    status: 2,
    err: expect.stringContaining('--email: expected an e-mail address'),
  })
  expect(await run('console', 'remove', 'nobody', '--project', 'shop')).toMatchObject({
    status: 1,
    err: expect.stringContaining('there is no account nobody'),
  })
})
