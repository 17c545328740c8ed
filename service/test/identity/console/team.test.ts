import { eq } from 'drizzle-orm'
import type { ApiKey, CreatedApiKey } from 'kassa/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Call } from '#base/call.js'
import { consoleAccounts, jobs } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import type { JobData } from '#base/ports/jobs.js'
import type { Mail } from '#base/ports/mail.js'
import type { Role } from '#base/scopes.js'
import { signInByLink } from '#identity/console/links.js'
import { sendAlert } from '#identity/console/mails.js'
import { inviteMember, type ListedMember, removeMember, type TeamCall } from '#identity/console/team.js'
import { createApiKey } from '#identity/keys/manageKeys.js'
import { createProject } from '#identity/projects/projects.js'
import { createAuthenticator } from '../../helpers/createAuthenticator.js'
import { createTestService, type TestService } from '../../helpers/createTestService.js'
import { databaseKinds } from '../../helpers/databaseKinds.js'
import { meet } from '../../helpers/meet.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { type Browser, openBrowser, openConsole, secretOf } from '../../helpers/openConsole.js'
import { runIn } from '../../helpers/runCommand.js'

const service = openBeforeAll(() => createTestService({ config: { isBehindProxy: true } }))

/** A project of its own, so that each test knows its owners. */
const openTeam = async (email = 'owner@example.com') => {
  const name = `team ${Math.random()}`
  const projectId = await createProject(service.deps.db, name)
  const at = { ...service, projectId }
  const add = (role: Role, address: string): Promise<Browser> => openConsole(at, { role, email: address })
  return { name, projectId, add, owner: await add('owner', email) }
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
    body: { role: 'owner' },
    headers,
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
    expect(data.slice(0, 2)).toMatchObject([
      { operation: 'acceptInvitation', outcome: 'refused', actor: { name: 'an invitation' } },
      { operation: 'withdrawInvitation', resource: 'role=owner' },
    ])
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

describe('what a role made ends with it', () => {
  const keysPath = '/api/2022-06-09/api-keys'
  const createKey = async (browser: Browser, scopes: string[], name = 'Shop') => {
    const response = await browser.request('POST', keysPath, { body: { name, scopes } })
    if (response.status !== 201) throw new Error(await response.text())
    return (await response.json()) as CreatedApiKey
  }
  const useKey = async (key: string, path = '/api/2022-06-09/orders'): Promise<number> =>
    (await service.app.request(path, { headers: { 'x-api-key': key } })).status
  const createKeyBy = (key: string) =>
    service.app.request(keysPath, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Made by a key', scopes: ['orders.read'] }),
    })
  const keysOf = async (browser: Browser, id: string) =>
    (await browser.read<{ data: ApiKey[] }>('GET', `/console/members/${id}/keys`)).data
  const end = (browser: Browser, id: string, body: object, role?: string) =>
    browser.request(role ? 'PATCH' : 'DELETE', `/console/members/${id}`, {
      body: { ...body, ...(role && { role }) },
    })
  const openTwo = async () => {
    const team = await openTeam()
    const ada = await team.add('owner', 'ada@example.com')
    return { ...team, ada, id: await idOf(team.owner, 'ada@example.com') }
  }

  test.each([undefined, 'operator', 'support', 'viewer'])(
    'behavior: the invitations of an owner who is removed or becomes %s open nothing',
    async (role) => {
      const { owner, ada, id } = await openTwo()
      const mine = await invite(owner, { role: 'viewer' })
      const invitations = [
        await invite(ada, { role: 'owner', email: 'ada.again@example.com' }),
        await invite(ada, { role: 'viewer' }),
      ]
      expect((await end(owner, id, {}, role)).status).toBe(200)
      for (const invitation of invitations) expect((await useLink(invitation)).status).toBe(401)
      expect((await useLink(mine)).status).toBe(200)
    },
  )

  test('behavior: an owner who is made an owner again keeps invitations and keys', async () => {
    const { owner, ada, id } = await openTwo()
    const invitation = await invite(ada, { role: 'viewer' })
    const { key } = await createKey(ada, ['keys.manage', 'orders.read'])
    expect((await end(owner, id, {}, 'owner')).status).toBe(200)
    expect((await createKeyBy(key)).status).toBe(201)
    expect((await useLink(invitation)).status).toBe(200)
  })

  test('behavior: removal revokes the keys that the member made, and those that these made', async () => {
    const { owner, ada, id } = await openTwo()
    const made = await createKey(ada, ['keys.manage', 'orders.read'])
    const child = (await (await createKeyBy(made.key)).json()) as CreatedApiKey
    const rolled = await ada.request('POST', `${keysPath}/${child.keyId}/roll`, { body: { keepHours: 1 } })
    const { key: rolledKey } = (await rolled.json()) as CreatedApiKey
    const foreign = await createKey(owner, ['orders.read'])
    const all = [made.key, child.key, rolledKey]
    expect(await Promise.all(all.map((key) => useKey(key)))).toEqual([200, 200, 200])
    expect(await keysOf(owner, id)).toHaveLength(3)
    expect((await end(owner, id, {})).status).toBe(200)
    expect(await Promise.all(all.map((key) => useKey(key)))).toEqual([401, 401, 401])
    expect(await useKey(foreign.key)).toBe(200)
    const { data } = await owner.read<{ data: { resource: string }[] }>('GET', '/api/2022-06-09/audit-log')
    expect(data[0]?.resource).toContain(`revokedKey=${made.keyId}`)
  })

  test('behavior: a role that is lowered takes its scopes from the keys, in every process at once', async () => {
    const { owner, ada, id } = await openTwo()
    const both = await createKey(ada, ['audit.read', 'orders.read'])
    const audit = await createKey(ada, ['audit.read'])
    const log = '/api/2022-06-09/audit-log'
    expect([await useKey(both.key, log), await useKey(audit.key, log)]).toEqual([200, 200])
    expect((await end(owner, id, {}, 'operator')).status).toBe(200)
    expect([await useKey(both.key, log), await useKey(audit.key, log)]).toEqual([403, 401])
    expect(await useKey(both.key)).toBe(200)
    expect(await keysOf(owner, id)).toMatchObject([{ keyId: both.keyId, scopes: ['orders.read'] }])
  })

  test('behavior: an invitation of the command line that lowers an owner ends the same', async () => {
    const { owner, ada, projectId } = await openTwo()
    const invitation = await invite(ada, { role: 'owner' })
    const { key } = await createKey(ada, ['audit.read'])
    await openConsole({ ...service, projectId }, { role: 'viewer', email: 'ada@example.com' })
    expect([await useKey(key, '/api/2022-06-09/audit-log'), (await useLink(invitation)).status]).toEqual([
      401, 401,
    ])
    expect(await roleOf(owner, 'ada@example.com')).toBe('viewer')
  })

  test('parameters: keepKeys: the owner who removes takes keys over, and they end with that role', async () => {
    const { owner, add, ada, id } = await openTwo()
    const [kept, lost] = [await createKey(ada, ['orders.read']), await createKey(ada, ['orders.read'])]
    expect((await end(owner, id, { keepKeys: [kept.keyId] })).status).toBe(200)
    expect([await useKey(kept.key), await useKey(lost.key)]).toEqual([200, 401])
    const second = await add('owner', 'second@example.com')
    const ownId = await idOf(owner, 'owner@example.com')
    expect(await keysOf(second, ownId)).toMatchObject([{ keyId: kept.keyId }])
    await expectError(
      await end(owner, ownId, { keepKeys: [kept.keyId] }),
      400,
      'keepKeys: only another owner can take your keys over',
    )
    expect((await end(second, ownId, {})).status).toBe(200)
    expect(await useKey(kept.key)).toBe(401)
  })

  test.each([
    [[], /^Revoked its key [-\da-f]{36} \(Shop\)\.$/m, 401],
    [['--keep-keys'], /ended\.\n$/, 200],
  ] as const)('behavior: the command line removes an account with %j', async (options, said, status) => {
    const { name, ada, id } = await openTwo()
    const { key } = await createKey(ada, ['orders.read'])
    const invitation = await invite(ada, { role: 'owner' })
    const place = { env: { KASSA_SANDBOX: '1' }, service: service.deps }
    const { err } = await runIn(place, ['console', 'remove', id, '--project', name, ...options])
    expect([err, await useKey(key)]).toEqual([expect.stringMatching(said), status])
    expect((await useLink(invitation)).status).toBe(401)
  })

  test('behavior: a client key is public, and stays', async () => {
    const { owner, ada, id } = await openTwo()
    const body = { name: 'Pages', kind: 'client', origins: ['https://shop.example'] }
    const response = await ada.request('POST', keysPath, { body })
    const { keyId } = (await response.json()) as CreatedApiKey
    expect(await keysOf(owner, id)).toEqual([])
    expect((await end(owner, id, {})).status).toBe(200)
    const { data } = await owner.read<{ data: ApiKey[] }>('GET', keysPath)
    expect(data.find((key) => key.keyId === keyId)?.status).toBe('active')
  })

  test('error: forbidden, not-found: the keys of a member', async () => {
    const { owner, add, id } = await openTwo()
    const operator = await add('operator', 'operator@example.com')
    const stranger = await openTeam()
    const ask = async (browser: Browser) =>
      (await browser.request('GET', `/console/members/${id}/keys`)).status
    expect([await ask(owner), await ask(operator), await ask(stranger.owner)]).toEqual([200, 403, 404])
  })
})

test('behavior: the owners get an e-mail about each new way into the project', async () => {
  const { owner, add, projectId } = await openTeam()
  await add('owner', 'second@example.com')
  const operator = await add('operator', 'operator@example.com')
  const listAlerts = async () => {
    const rows = await service.deps.db.select().from(jobs).where(eq(jobs.name, 'console.alert'))
    return rows.flatMap(({ data }) => {
      const alert = data as JobData['console.alert']
      return alert.projectId === projectId ? [alert] : []
    })
  }
  const owners = ['owner@example.com', 'second@example.com']
  const expectAlerts = async (alert: object, told = owners) => {
    const alerts = await listAlerts()
    expect(alerts.map(({ to }) => to).sort()).toEqual(told)
    expect(alerts[0]).toMatchObject(alert)
    await service.deps.db.delete(jobs).where(eq(jobs.name, 'console.alert'))
    return alerts
  }
  const keys = '/api/2022-06-09/api-keys'
  await invite(owner, { role: 'viewer', email: 'ada@example.com' })
  const invitation = { kind: 'invitation', actor: 'owner@example.com', subject: 'ada@example.com, as viewer' }
  const [alert] = await expectAlerts(invitation)
  const made = await owner.request('POST', keys, {
    body: { name: 'Robot', scopes: ['keys.manage', 'orders.read'] },
  })
  const { key, keyId } = (await made.json()) as CreatedApiKey
  await expectAlerts({ kind: 'key', actor: 'owner@example.com', subject: 'Robot (keys.manage, orders.read)' })
  await service.app.request(keys, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Made by a key', scopes: ['orders.read'] }),
  })
  await expectAlerts({ kind: 'key', actor: 'the API key Robot' })
  await owner.request('POST', `${keys}/${keyId}/roll`)
  await expectAlerts({ kind: 'key', actor: 'owner@example.com' })
  const authenticator = createAuthenticator(service.deps.config.publicUrl)
  const passkeys = '/console/account/passkeys'
  const { challenge } = await operator.read<{ challenge: string }>('POST', `${passkeys}/registration`)
  await operator.request('POST', passkeys, { body: authenticator.register(challenge) })
  const everyone = ['operator@example.com', ...owners]
  await expectAlerts({ kind: 'passkey', actor: 'operator@example.com' }, everyone)
  await change(owner, await idOf(owner, 'operator@example.com'), 'owner')
  await expectAlerts({ kind: 'role', actor: 'owner@example.com', subject: 'operator@example.com' }, everyone)
  await change(owner, await idOf(owner, 'operator@example.com'), 'viewer')
  expect(await listAlerts()).toEqual([])

  const mails: Mail[] = []
  const mailer = {
    send: async (mail: Mail) => {
      mails.push(mail)
      return { status: 'sent' as const }
    },
  }
  if (!alert) throw new Error('no alert')
  await sendAlert({ ...service.deps, mailer })(alert)
  expect(mails).toMatchObject([{ id: alert.mailId, to: alert.to }])
  expect(mails[0]?.subject).toMatch(/^A person was invited: team /)
  expect(mails[0]?.text).toContain('Invitation: ada@example.com, as viewer\nBy: owner@example.com\nAt: ')
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

  /** A call of an owner who exists. */
  const callAsOwner = async (): Promise<TeamCall> => {
    const email = `owner${Math.random()}@example.com`
    await openConsole(opened, { role: 'owner', email })
    const [owner] = await opened.deps.db
      .select()
      .from(consoleAccounts)
      .where(eq(consoleAccounts.email, email))
    return callAs(owner?.id ?? '')
  }
  const callAs = (accountId: string): TeamCall => ({
    requestId: 'req_test',
    actor: {
      kind: 'session',
      sessionId: accountId,
      accountId,
      accountName: accountId,
      role: 'owner',
      projectId: opened.projectId,
      scopes: ['console.members'],
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
    const call = await callAsOwner()
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
    const call = await callAsOwner()
    const ended = await meet(url, { text: 'select 1 from projects for update' }, [
      () => inviteMember(deps, call, input),
      () => inviteMember(beside, call, input),
    ])
    const links = ended.flatMap((each) => (each.status === 'fulfilled' ? [String(each.value)] : []))
    const answers = links.map((link) =>
      openBrowser(opened).request('POST', '/console/auth/links', { body: { token: secretOf(link) } }),
    )
    expect((await Promise.all(answers)).map(({ status }) => status).sort()).toEqual([200, 401])
  })

  test('behavior: an owner who is removed meanwhile makes no invitation and no key', async () => {
    const { deps } = opened
    const [remover, removed] = [await callAsOwner(), await callAsOwner()]
    const accountId = removed.actor.accountId
    const call: Call = {
      actor: { ...removed.actor, scopes: ['keys.manage', 'orders.read'] },
      client: {},
      complete: async () => {},
    }
    const ended = await meet(url, { text: 'select 1 from projects for update' }, [
      () => removeMember(deps, remover, { accountId }),
      () => inviteMember(beside, removed, { role: 'owner' }),
      () => createApiKey(beside, call, { name: 'Late', scopes: ['orders.read'] }),
    ])
    expect(ended).toMatchObject([
      { status: 'fulfilled' },
      { reason: { code: 'forbidden' } },
      { reason: { code: 'forbidden' } },
    ])
  })
})
