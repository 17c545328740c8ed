import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { consoleAccounts, consoleSessions, consoleTokens } from '#base/db/tables/index.js'
import type { Mail } from '#base/ports/mail.js'
import { removeAccount } from '#identity/console/accounts.js'
import { sendLinks } from '#identity/console/links.js'
import { forgetSessions, type ListedSession } from '#identity/console/sessions.js'
import { forgetTokens } from '#identity/console/tokens.js'
import { createProject } from '#identity/projects/projects.js'
import { createShop, ordersPath } from '../../helpers/createShop.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { createInvitation, openBrowser, openConsole, secretOf } from '../../helpers/openConsole.js'

const hourMs = 60 * 60_000
const mails: Mail[] = []
const shop = openBeforeAll(async () => {
  const opened = await createShop({
    config: { isBehindProxy: true },
    network: {
      mailer: {
        send: async (mail) => {
          mails.push(mail)
          return { status: 'sent' }
        },
      },
    },
  })
  const createOther = async () => ({
    ...opened,
    projectId: await createProject(opened.deps.db, `other ${Math.random()}`),
  })
  return { ...opened, createOther }
})

const signIn = (browser: ReturnType<typeof openBrowser>, token: string, headers = {}) =>
  browser.request('POST', '/console/auth/links', { body: { token }, headers })

const readSession = (browser: ReturnType<typeof openBrowser>) =>
  browser.read<{ account: { accountId: string }; projectId: string; scopes: string[] }>(
    'GET',
    '/console/account/session',
  )

const readCookies = (response: Response) => response.headers.get('set-cookie') ?? ''

test('default', async () => {
  const browser = openBrowser(shop)
  const response = await signIn(
    browser,
    await createInvitation(shop, { role: 'support', email: 'Ada@Example.com' }),
  )
  expect(response.status).toBe(200)
  expect(readCookies(response)).toMatch(
    /^kassa_console=session_[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
  )
  const session = await readSession(browser)
  expect(session).toMatchObject({
    account: { name: 'ada@example.com', role: 'support' },
    projectId: shop.projectId,
  })
  expect(session.scopes).toContain('orders.refund')
  expect((await browser.request('GET', ordersPath)).status).toBe(200)
})

test('behavior: over https the cookie belongs to the host alone', async () => {
  const secure = await createShop({ config: { publicUrl: 'https://kassa.example' } })
  const browser = openBrowser(secure)
  const response = await signIn(browser, await createInvitation(secure))
  expect(readCookies(response)).toMatch(/^__Host-kassa_console=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  expect((await browser.request('GET', ordersPath)).status).toBe(200)
  // A cookie that another host of the domain could have planted does not count.
  browser.setCookie(browser.cookie()?.replace('__Host-', ''))
  expect((await browser.request('GET', ordersPath)).status).toBe(401)
  await secure.close()
})

test('behavior: no secret of a link or session is in the database', async () => {
  const browser = openBrowser(shop)
  const token = await createInvitation(shop)
  const waiting = await createInvitation(shop)
  await signIn(browser, token)
  const rows = JSON.stringify([
    await shop.deps.db.select().from(consoleTokens),
    await shop.deps.db.select().from(consoleSessions),
  ])
  for (const secret of [token, waiting, browser.cookie()?.split('=')[1] ?? 'none'])
    expect(rows).not.toContain(secret)
})

test('error: key-invalid: a link that was used, is unknown, or has expired', async () => {
  const token = await createInvitation(shop)
  expect((await signIn(openBrowser(shop), token)).status).toBe(200)
  const late = await createInvitation(shop)
  const answers = [await signIn(openBrowser(shop), token), await signIn(openBrowser(shop), 'once_nothing')]
  await shop.advance(24 * hourMs)
  answers.push(await signIn(openBrowser(shop), late))
  for (const answer of answers) {
    expect(answer.status).toBe(401)
    expect(readCookies(answer)).toBe('')
    expect(await answer.text()).toContain('This link was already used or has expired')
  }
})

test('behavior: opening a link does not use it up', async () => {
  const token = await createInvitation(shop)
  for (const method of ['GET', 'HEAD']) {
    await openBrowser(shop).request(method, '/console/link')
    await openBrowser(shop).request(method, '/console/auth/links')
  }
  expect((await signIn(openBrowser(shop), token)).status).toBe(200)
})

test('behavior: an invitation for an account gives it the role, and the same account', async () => {
  const input = { email: 'grace@example.com' }
  await openConsole(shop, { ...input, role: 'viewer' })
  const again = await openConsole(shop, { ...input, role: 'operator' })
  expect(await readSession(again)).toMatchObject({
    account: { role: 'operator' },
  })
  expect(await shop.deps.db.$count(consoleAccounts, eq(consoleAccounts.email, 'grace@example.com'))).toBe(1)
})

test('behavior: signing in never takes over the cookie that a browser brings', async () => {
  const planted = 'kassa_console=session_planted'
  const browser = openBrowser(shop)
  browser.setCookie(planted)
  await signIn(browser, await createInvitation(shop))
  const first = browser.cookie()
  expect(first).not.toBe(planted)
  await signIn(browser, await createInvitation(shop))
  expect(browser.cookie()).not.toBe(first)
  for (const cookie of [planted, first]) {
    const other = openBrowser(shop)
    other.setCookie(cookie)
    expect((await other.request('GET', ordersPath)).status).toBe(401)
  }
})

test('behavior: a session ends when it is not used, and after a week in any case', async () => {
  const idle = await openConsole(shop)
  const used = await openConsole(shop)
  const ask = async (browser: typeof idle) => (await browser.request('GET', ordersPath)).status
  await shop.advance(12 * hourMs - 60_000)
  expect(await ask(used)).toBe(200)
  await shop.advance(2 * 60_000)
  expect([await ask(idle), await ask(used)]).toEqual([401, 200])
  for (let hours = 12; hours < 7 * 24; hours += 11) {
    await shop.advance(11 * hourMs)
    await ask(used)
  }
  expect(await ask(used)).toBe(401)
  await forgetSessions(shop.deps)
  await forgetTokens(shop.deps)
  expect(await shop.deps.db.$count(consoleSessions)).toBe(0)
  expect(await shop.deps.db.$count(consoleTokens)).toBe(0)
})

test('behavior: an account lists and ends its sessions, and nobody else’s', async () => {
  const email = 'sessions@example.com'
  const [here, there, stranger] = [
    await openConsole(shop, { email }),
    await openConsole(shop, { email }),
    await openConsole(shop),
  ]
  const list = async (browser: typeof here) =>
    (await browser.read<{ data: ListedSession[] }>('GET', '/console/account/sessions')).data
  const sessions = await list(here)
  expect(sessions).toHaveLength(2)
  const other = sessions.find(({ isCurrent }) => !isCurrent)
  const path = `/console/account/sessions/${other?.sessionId}`
  expect((await stranger.request('DELETE', path)).status).toBe(404)
  expect((await there.request('GET', ordersPath)).status).toBe(200)
  expect((await here.request('DELETE', path)).status).toBe(200)
  expect((await there.request('GET', ordersPath)).status).toBe(401)
  const third = await openConsole(shop, { email })
  await here.request('DELETE', '/console/account/sessions')
  expect((await third.request('GET', ordersPath)).status).toBe(401)
  const cookie = here.cookie()
  expect((await here.request('DELETE', '/console/account/session')).status).toBe(200)
  expect(here.cookie()).toBeUndefined()
  here.setCookie(cookie)
  expect((await here.request('GET', ordersPath)).status).toBe(401)
})

test('behavior: a removed account is refused at once', async () => {
  const browser = await openConsole(shop, { email: 'leaving@example.com' })
  const [account] = await shop.deps.db
    .select()
    .from(consoleAccounts)
    .where(eq(consoleAccounts.email, 'leaving@example.com'))
  await removeAccount(shop.deps, { projectId: shop.projectId, accountId: account?.id ?? '' })
  expect((await browser.request('GET', ordersPath)).status).toBe(401)
})

test('behavior: a session of one project sees nothing of another', async () => {
  const { orderId, path } = await shop.createOrder()
  const own = await openConsole(shop)
  const foreign = await openConsole(await shop.createOther())
  expect(await (await own.request('GET', ordersPath)).text()).toContain(orderId)
  expect(await (await foreign.request('GET', ordersPath)).json()).toEqual({ data: [] })
  for (const [method, at] of [
    ['GET', path],
    ['POST', `${path}/refunds`],
    ['POST', `${path}/refresh`],
  ] as const) {
    expect((await foreign.request(method, at, method === 'POST' ? { body: {} } : {})).status).toBe(404)
  }
  await own.request('POST', `${path}/refresh`, { body: {} })
  const { account } = await readSession(own)
  const read = async (browser: typeof own) =>
    (await browser.request('GET', '/api/2022-06-09/audit-log')).text()
  expect(await read(own)).toContain(account.accountId)
  expect(await read(foreign)).not.toContain(account.accountId)
})

const foreignPages: Readonly<Record<string, Record<string, string>>> = {
  'another site': { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  'another host of the domain': { 'sec-fetch-site': 'same-site', origin: 'http://evil.localhost:4000' },
  'an address typed by a person': { 'sec-fetch-site': 'none' },
  'an old browser on another site': { 'sec-fetch-site': '', origin: 'https://evil.example' },
  'an old browser in a frame without origin': { 'sec-fetch-site': '', origin: 'null' },
  'neither header': { 'sec-fetch-site': '' },
}

test.each(Object.entries(foreignPages))('error: forbidden: a change asked for by %s', async (_, given) => {
  const { 'sec-fetch-site': site, ...others } = given
  const browser = await openConsole(shop)
  const { path } = await shop.createOrder()
  const token = await createInvitation(shop)
  const ask = (method: string, at: string, body: unknown) =>
    shop.app.request(at, {
      method,
      headers: {
        ...(site && { 'sec-fetch-site': site }),
        ...others,
        'content-type': 'text/plain',
        cookie: browser.cookie() ?? '',
        'x-forwarded-for': '192.0.2.1',
      },
      body: JSON.stringify(body),
    })
  for (const [method, at, body] of [
    ['POST', `${path}/refunds`, {}],
    ['DELETE', '/console/account/session', {}],
    ['POST', '/console/auth/links', { token }],
  ] as const) {
    const response = await ask(method, at, body)
    expect(response.status, await response.text()).toBe(403)
  }
  // Nothing of it happened.
  expect((await browser.request('GET', ordersPath)).status).toBe(200)
  expect((await signIn(openBrowser(shop), token)).status).toBe(200)
})

test('behavior: a read from another host is refused, and an old browser’s own page is accepted', async () => {
  const browser = await openConsole(shop)
  const read = async (headers: Record<string, string>) =>
    (await browser.request('GET', ordersPath, { headers })).status
  expect(await read({ 'sec-fetch-site': 'same-site' })).toBe(403)
  expect(await read({ 'sec-fetch-site': 'none' })).toBe(200)
  const { origin } = new URL(shop.deps.config.publicUrl)
  const old = await shop.app.request('/console/account/sessions', {
    method: 'DELETE',
    headers: { origin, cookie: browser.cookie() ?? '' },
  })
  expect(old.status).toBe(200)
})

test('behavior: an answer with a session cannot be read across origins', async () => {
  const browser = await openConsole(shop)
  const { headers } = await browser.request('GET', ordersPath)
  expect(headers.get('access-control-allow-credentials')).toBeNull()
})

test('behavior: the console is in no frame, runs no inline script, and is not stored', async () => {
  for (const path of ['/console/account/session', '/console/auth/methods']) {
    const { headers } = await openBrowser(shop).request('GET', path)
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('content-security-policy')).toMatch(/script-src 'self';/)
    expect(headers.get('content-security-policy')).not.toContain('unsafe')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('cache-control')).toBe('no-store')
  }
})

test('behavior: a key beside the cookie decides alone', async () => {
  const browser = await openConsole(shop, { role: 'viewer' })
  const answer = await browser.request('GET', '/api/2022-06-09/audit-log', {
    headers: { 'x-api-key': shop.serverKey, 'sec-fetch-site': 'cross-site' },
  })
  expect(answer.status).toBe(200)
})

test('behavior: an e-mail link signs in, and known and unknown addresses have the same answer', async () => {
  const other = await shop.createOther()
  for (const each of [shop, other]) await openConsole(each, { email: 'mail@example.com' })
  const ask = async (email: string) => {
    const response = await openBrowser(shop).request('POST', '/console/auth/emails', { body: { email } })
    const { 'x-request-id': _, date: __, ...headers } = Object.fromEntries(response.headers)
    return { status: response.status, headers, text: await response.text() }
  }
  const known = await ask('mail@example.com')
  expect(known).toMatchObject({ status: 200, text: '{"isRequested":true}' })
  expect(await ask('nobody@example.com')).toEqual(known)

  await sendLinks(shop.deps)({ email: 'nobody@example.com' })
  expect(mails).toEqual([])
  await sendLinks(shop.deps)({ email: 'mail@example.com' })
  expect(mails.map(({ to }) => to)).toEqual(['mail@example.com', 'mail@example.com'])
  const secrets = mails.map(({ text, html }) => {
    const url = /http\S+/.exec(text)?.[0] ?? ''
    expect(html).toContain(`href="${url}"`)
    return secretOf(url)
  })
  const projects: string[] = []
  for (const secret of secrets) {
    const browser = openBrowser(shop)
    expect((await signIn(browser, secret)).status).toBe(200)
    projects.push((await readSession(browser)).projectId)
    expect((await signIn(openBrowser(shop), secret)).status).toBe(401)
  }
  expect(projects).toEqual([shop.projectId, other.projectId])
})

test('behavior: an e-mail link works for a quarter of an hour, and an account has five at most', async () => {
  mails.length = 0
  await openConsole(shop, { email: 'full@example.com' })
  for (let round = 0; round < 7; round++) await sendLinks(shop.deps)({ email: 'full@example.com' })
  expect(mails).toHaveLength(5)
  const secret = secretOf(/http\S+/.exec(mails[0]?.text ?? '')?.[0] ?? '')
  await shop.advance(15 * 60_000)
  expect((await signIn(openBrowser(shop), secret)).status).toBe(401)
  await sendLinks(shop.deps)({ email: 'full@example.com' })
  expect(mails).toHaveLength(6)
})

test('behavior: links that strangers request take none from the owner, and each works', async () => {
  mails.length = 0
  const email = 'targeted@example.com'
  await openConsole(shop, { email })
  const askFrom = async (networkHash: string, times: number) => {
    for (let round = 0; round < times; round++) await sendLinks(shop.deps)({ email, networkHash })
  }
  await askFrom('stranger', 20)
  expect(mails).toHaveLength(5)
  await askFrom('owner', 1)
  expect(mails).toHaveLength(6)
  // However many networks strangers have, the mailbox does not fill.
  for (let network = 0; network < 10; network++) await askFrom(`stranger ${network}`, 5)
  expect(mails).toHaveLength(25)
  for (const mail of [mails[0], mails.at(-1)]) {
    const secret = secretOf(/http\S+/.exec(mail?.text ?? '')?.[0] ?? '')
    expect((await signIn(openBrowser(shop), secret)).status).toBe(200)
  }
})

test('behavior: a link that could not be sent does not count', async () => {
  mails.length = 0
  const email = 'outage@example.com'
  await openConsole(shop, { email })
  const away = { ...shop.deps, mailer: { send: () => Promise.reject(new Error('away')) } }
  const refusing = {
    ...shop.deps,
    mailer: { send: async () => ({ status: 'refused' as const, code: 550 }) },
  }
  for (let round = 0; round < 6; round++) {
    await expect(sendLinks(away)({ email })).rejects.toThrow('away')
    await sendLinks(refusing)({ email })
  }
  await sendLinks(shop.deps)({ email })
  expect(mails).toHaveLength(1)
})

test('behavior: refused links are in the audit log of the project that they were for', async () => {
  const other = await shop.createOther()
  const owner = await openConsole(other, { email: 'chief@example.com' })
  const invitation = await createInvitation(other, { email: 'late@example.com', role: 'viewer' })
  mails.length = 0
  await sendLinks(shop.deps)({ email: 'chief@example.com' })
  const link = secretOf(/http\S+/.exec(mails[0]?.text ?? '')?.[0] ?? '')
  const statuses: number[] = []
  for (const secret of [link, link, invitation, invitation, 'once_unknown']) {
    statuses.push((await signIn(openBrowser(shop), secret)).status)
  }
  expect(statuses).toEqual([200, 401, 200, 401, 401])
  await forgetTokens(shop.deps)
  await signIn(openBrowser(shop), link)
  const { data } = await owner.read<{ data: object[] }>('GET', '/api/2022-06-09/audit-log')
  expect(data[0]).toMatchObject({ operation: 'signInByEmail', outcome: 'refused' })
  expect(data.slice(1, 5)).toMatchObject([
    { operation: 'acceptInvitation', outcome: 'refused', actor: { name: 'late@example.com' } },
    { operation: 'acceptInvitation', outcome: 'succeeded' },
    {
      operation: 'signInByEmail',
      outcome: 'refused',
      ipAddress: expect.stringMatching(/^198\.51\./),
      actor: { name: 'chief@example.com', accountId: expect.any(String) },
    },
    { operation: 'signInByEmail', outcome: 'succeeded' },
  ])
})

test('error: rate-limited: a network, and an e-mail address from one network', async () => {
  const browser = openBrowser(shop)
  const statuses: number[] = []
  for (let round = 0; round < 21; round++) statuses.push((await signIn(browser, 'once_guess')).status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(20)
  expect(statuses.at(-1)).toBe(429)
  const asked: number[] = []
  const stranger = openBrowser(shop)
  for (let round = 0; round < 6; round++) {
    const email = round % 2 ? 'Flood@example.com' : 'flood@example.com'
    asked.push((await stranger.request('POST', '/console/auth/emails', { body: { email } })).status)
  }
  expect(asked).toEqual([200, 200, 200, 200, 200, 429])
  const body = { email: 'flood@example.com' }
  expect((await openBrowser(shop).request('POST', '/console/auth/emails', { body })).status).toBe(200)
})

test('error: input-invalid: an e-mail address, and a role', async () => {
  const answer = await openBrowser(shop).request('POST', '/console/auth/emails', { body: { email: 'ada' } })
  expect(answer.status).toBe(400)
  expect(await answer.text()).toContain('email: expected an e-mail address')
  await expect(createInvitation(shop, { role: 'boss' as never })).rejects.toThrow(
    'role: expected one of owner, operator, support, viewer',
  )
})

test('behavior: the session names the shop, and where its transactions can be looked at', async () => {
  const browser = await openConsole(shop)
  expect(await readSession(browser)).toMatchObject({
    projectName: expect.any(String),
    environment: 'staging',
    explorers: { 'base-sepolia': expect.stringMatching(/^http/) },
  })
})
