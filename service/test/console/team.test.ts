import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '../../src/call.js'
import { signInByLink } from '../../src/console/links.js'
import { inviteMember, type ListedMember, removeMember, type TeamCall } from '../../src/console/team.js'
import { consoleAccounts } from '../../src/db/tables/index.js'
import type { Deps } from '../../src/deps.js'
import { createProject } from '../../src/projects/projects.js'
import { createTestService, type TestService } from '../helpers/createTestService.js'
import { databaseKinds } from '../helpers/databaseKinds.js'
import { meet } from '../helpers/meet.js'
import { openBeforeAll } from '../helpers/openBeforeAll.js'
import { type Browser, openBrowser, openConsole, secretOf } from '../helpers/openConsole.js'

const service = openBeforeAll(() => createTestService({ config: { isBehindProxy: true } }))

/** A project of its own, so that each test knows its owners. */
const openTeam = async (email = 'owner@example.com') => {
  const projectId = await createProject(service.deps.db, `team ${Math.random()}`)
  const at = { ...service, projectId }
  const add = (role: Role, address: string): Promise<Browser> => openConsole(at, { role, email: address })
  return { projectId, add, owner: await add('owner', email) }
}

const list = async (browser: Browser): Promise<ListedMember[]> =>
  (await browser.read<{ data: ListedMember[] }>('GET', '/console/members')).data
const roleOf = async (browser: Browser, name: string) =>
  (await list(browser)).find((member) => member.name === name)?.role
const idOf = async (browser: Browser, name: string): Promise<string> =>
  (await list(browser)).find((member) => member.name === name)?.accountId ?? ''
const invite = (browser: Browser, body: object) =>
  browser.request('POST', '/console/members/invitations', { body })
const change = (browser: Browser, id: string, role: string) =>
  browser.request('PATCH', `/console/members/${id}`, { body: { role } })
const remove = (browser: Browser, id: string) => browser.request('DELETE', `/console/members/${id}`)
const useLink = async (answer: Response, browser = openBrowser(service)) => {
  const { link } = (await answer.json()) as { link: string }
  const response = await browser.request('POST', '/console/auth/links', { body: { token: secretOf(link) } })
  return { browser, status: response.status }
}
const expectError = async (answer: Response, status: number, message: string) =>
  expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(message)])

test('default: a person is invited, gets another role, and is removed, and the audit log says so', async () => {
  const { owner } = await openTeam()
  const answer = await invite(owner, { role: 'viewer', email: 'Ada@Example.com' })
  expect(answer.status).toBe(201)
  const { browser: ada } = await useLink(answer)
  expect(await list(owner)).toMatchObject([
    { name: 'owner@example.com', role: 'owner', isCurrent: true },
    { name: 'ada@example.com', role: 'viewer', isCurrent: false },
  ])
  const id = await idOf(owner, 'ada@example.com')
  expect(await (await change(owner, id, 'operator')).json()).toMatchObject({
    accountId: id,
    role: 'operator',
  })
  expect(await ada.read('GET', '/console/account/session')).toMatchObject({ account: { role: 'operator' } })
  expect((await remove(owner, id)).status).toBe(200)
  expect((await ada.request('GET', '/console/account/session')).status).toBe(401)
  const log = await owner.read<{ data: object[] }>('GET', '/api/2022-06-09/audit-log')
  const by = { name: 'owner@example.com' }
  expect(log.data).toMatchObject([
    { operation: 'removeAccount', actor: by, resource: 'ada@example.com', outcome: 'succeeded' },
    { operation: 'changeRole', actor: by, resource: 'ada@example.com role=operator' },
    { operation: 'acceptInvitation' },
    { operation: 'inviteAccount', actor: by, resource: 'role=viewer email=ada@example.com' },
    { operation: 'acceptInvitation' },
    { operation: 'inviteAccount', actor: { name: 'command line' } },
  ])
})

test.each(['operator', 'support', 'viewer'] as const)('error: forbidden: %s', async (role) => {
  const { owner, add } = await openTeam()
  const browser = await add(role, 'other@example.com')
  const id = await idOf(owner, 'other@example.com')
  const ownerId = await idOf(owner, 'owner@example.com')
  for (const answer of [
    await browser.request('GET', '/console/members'),
    await invite(browser, { role: 'owner' }),
    await change(browser, id, 'owner'),
    await remove(browser, ownerId),
  ]) {
    await expectError(answer, 403, `The role ${role} lacks the scope console.members`)
  }
  expect(await list(owner)).toMatchObject([{ role: 'owner' }, { role }])
})

test('error: unauthorized: without a session, and from another site', async () => {
  const { owner } = await openTeam()
  expect((await openBrowser(service).request('GET', '/console/members')).status).toBe(401)
  const headers = { 'sec-fetch-site': 'same-site' }
  const answer = await owner.request('POST', '/console/members/invitations', {
    ...{ body: { role: 'owner' }, headers },
  })
  expect(answer.status).toBe(403)
})

test('error: conflict: the last owner', async () => {
  const { owner, add } = await openTeam()
  const id = await idOf(owner, 'owner@example.com')
  await expectError(await change(owner, id, 'viewer'), 409, 'A project needs an owner')
  await expectError(await remove(owner, id), 409, 'A project needs an owner')
  expect((await change(owner, id, 'owner')).status).toBe(200)
  // Owners of other projects do not count, and a second owner of this one does.
  await add('owner', 'second@example.com')
  expect((await change(owner, id, 'viewer')).status).toBe(200)
  expect((await owner.request('GET', '/console/members')).status).toBe(403)
})

test('error: not-found: another project’s account, and no id', async () => {
  const [one, other] = [await openTeam(), await openTeam()]
  const id = await idOf(other.owner, 'owner@example.com')
  for (const each of [id, 'nothing', '00000000-0000-4000-8000-000000000000']) {
    await expectError(await change(one.owner, each, 'viewer'), 404, 'Not found')
    await expectError(await remove(one.owner, each), 404, 'Not found')
  }
  expect(await roleOf(other.owner, 'owner@example.com')).toBe('owner')
})

test('error: input-invalid', async () => {
  const { owner } = await openTeam()
  const id = await idOf(owner, 'owner@example.com')
  await expectError(await invite(owner, { role: 'boss' }), 400, 'role: expected one of owner')
  await expectError(await invite(owner, { role: 'viewer', email: 'ada' }), 400, 'email: expected')
  await expectError(await invite(owner, {}), 400, 'role')
  await expectError(await change(owner, id, 'boss'), 400, 'role: expected one of owner')
})

test('error: conflict: an invitation for an account, whose link would open it', async () => {
  const { owner, add } = await openTeam()
  await add('support', 'ada@example.com')
  const answer = await invite(owner, { role: 'viewer', email: 'ADA@example.com' })
  await expectError(answer, 409, 'email: ada@example.com is already in the team')
  expect(await roleOf(owner, 'ada@example.com')).toBe('support')
})

test('behavior: an internationalised domain is one person in both spellings', async () => {
  const { owner } = await openTeam()
  const ascii = 'ada@xn--mller-kva.example'
  const { status } = await useLink(await invite(owner, { role: 'viewer', email: 'Ada@MÜLLER.example' }))
  expect([status, await roleOf(owner, ascii)]).toEqual([200, 'viewer'])
  for (const email of [ascii, 'ada@müller.example']) {
    await expectError(
      await invite(owner, { role: 'viewer', email }),
      409,
      `email: ${ascii} is already in the team`,
    )
  }
})

test('behavior: a new invitation of an address replaces the last one', async () => {
  const { owner } = await openTeam()
  const first = await invite(owner, { role: 'owner', email: 'ada@example.com' })
  const second = await invite(owner, { role: 'viewer', email: 'ada@example.com' })
  expect((await useLink(first)).status).toBe(401)
  expect((await useLink(second)).status).toBe(200)
  expect(await roleOf(owner, 'ada@example.com')).toBe('viewer')
})

describe('open invitations', () => {
  const path = '/console/members/invitations'
  type Listed = { invitationId: string; email: string | null; role: Role; expiresAt: string }
  const listOpen = async (browser: Browser) => (await browser.read<{ data: Listed[] }>('GET', path)).data

  test('default: they are listed until they are used or withdrawn, and the audit log says so', async () => {
    const { owner } = await openTeam()
    const used = await invite(owner, { role: 'support', email: 'ada@example.com' })
    const withdrawn = await invite(owner, { role: 'owner' })
    const open = await listOpen(owner)
    expect(open).toEqual([
      {
        invitationId: expect.any(String),
        email: 'ada@example.com',
        role: 'support',
        expiresAt: expect.any(String),
      },
      { invitationId: expect.any(String), email: null, role: 'owner', expiresAt: expect.any(String) },
    ])
    await useLink(used)
    const [left] = await listOpen(owner)
    expect(left).toEqual(open[1])
    expect((await owner.request('DELETE', `${path}/${left?.invitationId}`)).status).toBe(200)
    expect(await listOpen(owner)).toEqual([])
    expect((await useLink(withdrawn)).status).toBe(401)
    expect((await owner.request('DELETE', `${path}/${left?.invitationId}`)).status).toBe(404)
    const { data } = await owner.read<{ data: object[] }>('GET', '/api/2022-06-09/audit-log')
    expect(data[0]).toMatchObject({ operation: 'withdrawInvitation', resource: 'role=owner' })
  })

  test('error: forbidden for other roles, not-found for another project', async () => {
    const { owner, add } = await openTeam()
    const stranger = await openTeam()
    const answer = await invite(owner, { role: 'viewer' })
    const [open] = await listOpen(owner)
    const operator = await add('operator', 'operator@example.com')
    expect((await operator.request('GET', path)).status).toBe(403)
    expect((await operator.request('DELETE', `${path}/${open?.invitationId}`)).status).toBe(403)
    expect(await listOpen(stranger.owner)).toEqual([])
    expect((await stranger.owner.request('DELETE', `${path}/${open?.invitationId}`)).status).toBe(404)
    expect((await useLink(answer)).status).toBe(200)
  })
})

test('behavior: no other link opens the account of a person who has come', async () => {
  const { owner, projectId } = await openTeam()
  const kept = await invite(owner, { role: 'operator', email: 'ada@example.com' })
  // The command line invites her too, and she uses that link.
  await openConsole({ ...service, projectId }, { role: 'viewer', email: 'ada@example.com' })
  expect((await useLink(kept)).status).toBe(401)
  expect(await roleOf(owner, 'ada@example.com')).toBe('viewer')
})

describe.each(databaseKinds.filter(({ name }) => name === 'PostgreSQL'))('on $name', (kind) => {
  let url: string
  let opened: TestService
  let beside: Deps
  let close: () => Promise<void>

  beforeAll(async () => {
    const database = await kind.open()
    url = database.url ?? ''
    const another = await kind.open(url)
    opened = await createTestService({ database })
    beside = { ...opened.deps, db: another.db }
    close = async () => {
      await opened.close()
      await another.close()
      await database.close()
    }
  })
  afterAll(() => close())

  const callAs = (accountId: string): TeamCall => ({
    requestId: 'req_test',
    actor: {
      ...{ kind: 'session', sessionId: accountId, accountId, accountName: accountId, role: 'owner' },
      ...{ projectId: opened.projectId, scopes: ['console.members'] },
    },
  })

  test('behavior: of two owners who remove each other at once, one stays', async () => {
    const { deps } = opened
    for (const email of ['one@example.com', 'two@example.com']) {
      await openConsole(opened, { role: 'owner', email })
    }
    const [one, two] = await deps.db.select().from(consoleAccounts)
    if (!one || !two) throw new Error('no owners')
    const ended = await meet(url, { text: 'select 1 from projects for update' }, [
      () => removeMember(deps, callAs(one.id), { accountId: two.id }),
      () => removeMember(beside, callAs(two.id), { accountId: one.id }),
    ])
    expect(ended).toMatchObject([{ status: 'fulfilled' }, { reason: { code: 'conflict' } }])
    expect(await deps.db.$count(consoleAccounts, eq(consoleAccounts.role, 'owner'))).toBe(1)
  })

  test('behavior: a person who comes while she is invited again has one account, and no link to it is left', async () => {
    const { deps } = opened
    const input = { role: 'viewer', email: 'once@example.com' }
    const call = callAs('00000000-0000-4000-8000-000000000000')
    const secret = secretOf(await inviteMember(deps, call, input))
    const ended = await meet(url, { text: 'select 1 from console_tokens for update' }, [
      () => signInByLink(deps, { secret, client: {} }),
      () => inviteMember(beside, call, { ...input, role: 'owner' }),
    ])
    expect(ended).toMatchObject([{ status: 'fulfilled' }, { reason: { code: 'conflict' } }])
  })

  test('behavior: of two invitations of one address at once, one link opens an account', async () => {
    const { deps } = opened
    const input = { role: 'viewer', email: 'both@example.com' }
    const ended = await meet(url, { text: 'select 1 from projects for update' }, [
      () => inviteMember(deps, callAs('00000000-0000-4000-8000-000000000000'), input),
      () => inviteMember(beside, callAs('00000000-0000-4000-8000-000000000000'), input),
    ])
    const links = ended.flatMap((each) => (each.status === 'fulfilled' ? [String(each.value)] : []))
    const answers = links.map((link) =>
      openBrowser(opened).request('POST', '/console/auth/links', { body: { token: secretOf(link) } }),
    )
    expect((await Promise.all(answers)).map(({ status }) => status).sort()).toEqual([200, 401])
  })
})
