import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { consoleAccounts } from '#base/db/tables/index.js'
import type { Mail } from '#base/ports/mail.js'
import { sendCode } from '#identity/console/codes.js'
import { createSessionFinder } from '#identity/console/sessions.js'
import { createAuthenticator, unverified } from '../../helpers/createAuthenticator.js'
import { createShop, ordersPath } from '../../helpers/createShop.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { type Browser, openBrowser, openConsole } from '../../helpers/openConsole.js'

const shop = openBeforeAll(() => createShop({ config: { isBehindProxy: true } }))

const account = '/console/account/passkeys'

const askChallenge = async (browser: Browser, path: string): Promise<string> =>
  (await browser.read<{ challenge: string }>('POST', path)).challenge
const startRegistration = (browser: Browser) => askChallenge(browser, `${account}/registration`)
const startSignIn = (browser: Browser) => askChallenge(browser, '/console/auth/challenges')
const signIn = (browser: Browser, body: unknown) =>
  browser.request('POST', '/console/auth/assertions', { body })

/** Signs in by link, and registers a passkey. */
const register = async () => {
  const browser = await openConsole(shop)
  const authenticator = createAuthenticator(shop.deps.config.publicUrl)
  const body = authenticator.register(await startRegistration(browser))
  const response = await browser.request('POST', account, { body })
  return { browser, authenticator, response, body }
}

test('default', async () => {
  const { authenticator, response } = await register()
  expect(response.status, await response.text()).toBe(201)
  const browser = openBrowser(shop)
  const answer = await signIn(browser, authenticator.signIn(await startSignIn(browser)))
  expect(answer.status, await answer.text()).toBe(200)
  expect((await browser.request('GET', ordersPath)).status).toBe(200)
  const { data } = await browser.read<{ data: unknown }>('GET', account)
  expect(data).toEqual([
    { passkeyId: authenticator.id, createdAt: expect.any(String), usedAt: expect.any(String) },
  ])
})

test('behavior: the options ask for a passkey that is found without a name and verifies its user', async () => {
  const browser = await openConsole(shop)
  const registration = await browser.read('POST', `${account}/registration`)
  expect(registration).toMatchObject({
    rp: { id: 'localhost' },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  const request = await openBrowser(shop).read<{ allowCredentials?: unknown[] }>(
    'POST',
    '/console/auth/challenges',
  )
  expect(request).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
  expect(request.allowCredentials ?? []).toEqual([])
})

const wrong = {
  'a user who was not verified': { flags: unverified },
  'the origin of another page': { origin: 'https://evil.example' },
  'the host of another page': { rpId: 'evil.example' },
}

test.each(Object.entries(wrong))('error: %s is refused at registration and sign-in', async (_, change) => {
  const browser = await openConsole(shop)
  const refused = createAuthenticator(shop.deps.config.publicUrl)
  const body = refused.register(await startRegistration(browser), change)
  expect((await browser.request('POST', account, { body })).status).toBe(400)
  const { authenticator } = await register()
  const stranger = openBrowser(shop)
  const answer = await signIn(stranger, authenticator.signIn(await startSignIn(stranger), change))
  expect(answer.status).toBe(401)
  expect(answer.headers.get('set-cookie')).toBeNull()
})

test('error: key-invalid: a challenge works once, for five minutes, and only if the service made it', async () => {
  const { authenticator } = await register()
  const browser = openBrowser(shop)
  const challenge = await startSignIn(browser)
  expect((await signIn(browser, authenticator.signIn(challenge))).status).toBe(200)
  expect((await signIn(browser, authenticator.signIn(challenge))).status).toBe(401)
  expect((await signIn(browser, authenticator.signIn('bm90aGluZw'))).status).toBe(401)
  const late = await startSignIn(browser)
  await shop.advance(5 * 60_000)
  expect((await signIn(browser, authenticator.signIn(late))).status).toBe(401)
})

test('error: input-invalid: a registration that another account started, or that took five minutes', async () => {
  const [own, other] = [await openConsole(shop), await openConsole(shop)]
  const body = createAuthenticator(shop.deps.config.publicUrl).register(await startRegistration(other))
  expect((await own.request('POST', account, { body })).status).toBe(400)
  const late = createAuthenticator(shop.deps.config.publicUrl).register(await startRegistration(own))
  await shop.advance(5 * 60_000)
  expect((await own.request('POST', account, { body: late })).status).toBe(400)
  // A challenge to sign in registers nothing.
  const mixed = createAuthenticator(shop.deps.config.publicUrl).register(await startSignIn(own))
  expect((await own.request('POST', account, { body: mixed })).status).toBe(400)
})

test('error: key-invalid: an unknown passkey and a wrong signature have one answer', async () => {
  const { authenticator } = await register()
  const browser = openBrowser(shop)
  const unknown = createAuthenticator(shop.deps.config.publicUrl).signIn(await startSignIn(browser))
  const foreign = createAuthenticator(shop.deps.config.publicUrl).signIn(await startSignIn(browser))
  const answers = [unknown, { ...foreign, id: authenticator.id, rawId: authenticator.id }].map((body) =>
    signIn(browser, body),
  )
  for (const answer of await Promise.all(answers)) {
    expect(answer.status).toBe(401)
    expect(await answer.json()).toEqual({
      error: true,
      message: 'This passkey does not belong to an account here',
    })
  }
})

test('error: key-invalid: a counter that goes back', async () => {
  const { authenticator } = await register()
  const browser = openBrowser(shop)
  await signIn(browser, authenticator.signIn(await startSignIn(browser), { counter: 9 }))
  const copy = authenticator.signIn(await startSignIn(browser), { counter: 8 })
  expect((await signIn(browser, copy)).status).toBe(401)
})

test('behavior: an account removes its own passkeys', async () => {
  const { authenticator, browser } = await register()
  const path = `${account}/${authenticator.id}`
  expect((await (await openConsole(shop)).request('DELETE', path)).status).toBe(404)
  expect((await browser.request('DELETE', path)).status).toBe(200)
  const stranger = openBrowser(shop)
  expect((await signIn(stranger, authenticator.signIn(await startSignIn(stranger)))).status).toBe(401)
})

test('error: conflict: a passkey that is registered already', async () => {
  const { authenticator } = await register()
  const other = await openConsole(shop)
  const body = authenticator.register(await startRegistration(other))
  expect((await other.request('POST', account, { body })).status).toBe(409)
})

test('behavior: refused passkeys are in the audit log of their account', async () => {
  const { authenticator, browser: owner } = await register()
  const stranger = openBrowser(shop)
  const foreign = createAuthenticator(shop.deps.config.publicUrl).signIn(await startSignIn(stranger))
  await signIn(stranger, { ...foreign, id: authenticator.id, rawId: authenticator.id })
  const { data } = await owner.read<{ data: object[] }>('GET', '/api/2022-06-09/audit-log')
  const session = await owner.read<{ account: { name: string } }>('GET', '/console/account/session')
  expect(data[0]).toMatchObject({
    operation: 'signInByPasskey',
    outcome: 'refused',
    actor: { name: session.account.name },
  })
})

describe('confirming', () => {
  const path = '/console/account/confirmations'
  const confirm = (browser: Browser, body: unknown) => browser.request('POST', path, { body })
  const isConfirmed = async (browser: Browser): Promise<boolean> => {
    const actor = await createSessionFinder(shop.deps)(browser.cookie()?.split('=')[1] ?? '')
    return actor.confirmedAtMs !== undefined
  }

  test('default: a passkey that is a day old confirms its own account', async () => {
    const { authenticator } = await register()
    const browser = openBrowser(shop)
    await signIn(browser, authenticator.signIn(await startSignIn(browser)))
    expect(await isConfirmed(browser)).toBe(false)
    const early = await confirm(browser, authenticator.signIn(await startSignIn(browser)))
    expect([early.status, await early.text()]).toEqual([403, expect.stringContaining('less than a day ago')])
    await shop.advance(24 * 60 * 60_000)
    await signIn(browser, authenticator.signIn(await startSignIn(browser)))
    const other = await openConsole(shop)
    const foreign = await confirm(other, authenticator.signIn(await startSignIn(other)))
    expect([foreign.status, await isConfirmed(other)]).toEqual([401, false])
    const answer = await confirm(browser, authenticator.signIn(await startSignIn(browser)))
    expect([answer.status, await isConfirmed(browser)]).toEqual([200, true])
    // A new session has to confirm anew.
    await signIn(browser, authenticator.signIn(await startSignIn(browser)))
    expect(await isConfirmed(browser)).toBe(false)
  })

  const requestCode = async (browser: Browser, email: string): Promise<string> => {
    expect((await browser.request('POST', `${path}/codes`)).status).toBe(200)
    const [account] = await shop.deps.db
      .select()
      .from(consoleAccounts)
      .where(eq(consoleAccounts.email, email))
    const mails: Mail[] = []
    const mailer = {
      send: async (mail: Mail) => {
        mails.push(mail)
        return { status: 'sent' as const }
      },
    }
    await sendCode({ ...shop.deps, mailer })({ accountId: account?.id ?? '' })
    expect(mails.map(({ to }) => to)).toEqual([email])
    return /^Code: (\d{8})$/m.exec(mails[0]?.text ?? '')?.[1] ?? ''
  }

  test('parameters: a code by e-mail confirms its own account once, for 15 minutes', async () => {
    const email = 'code@example.com'
    const browser = await openConsole(shop, { email })
    const stranger = await openConsole(shop, { email: 'stranger@example.com' })
    const code = await requestCode(browser, email)
    expect((await confirm(stranger, { code })).status).toBe(400)
    expect((await confirm(browser, { code: `${code.slice(0, 4)} ${code.slice(4)}` })).status).toBe(200)
    expect(await isConfirmed(browser)).toBe(true)
    expect((await confirm(browser, { code })).status).toBe(400)
    const late = await requestCode(browser, email)
    await shop.advance(15 * 60_000)
    expect((await confirm(browser, { code: late })).status).toBe(400)
  })

  test('error: rate-limited: codes cannot be guessed: an account has five attempts in a minute', async () => {
    const browser = await openConsole(shop)
    const guesses: number[] = []
    for (let round = 0; round < 6; round++) {
      guesses.push((await confirm(browser, { code: '00000000' })).status)
    }
    expect(guesses).toEqual([400, 400, 400, 400, 400, 429])
  })

  test('error: conflict: a code for an account without an e-mail address', async () => {
    const browser = await openConsole(shop)
    expect((await browser.request('POST', `${path}/codes`)).status).toBe(409)
  })
})
