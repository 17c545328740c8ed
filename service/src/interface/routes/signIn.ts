import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import type { Deps } from '#base/deps.js'
import { parseInput } from '#base/lib/parseInput.js'
import { readEmail } from '#identity/console/accounts.js'
import { requestLink, signInByLink } from '#identity/console/links.js'
import { signInByPasskey, startPasskeySignIn } from '#identity/console/passkeys.js'
import { sessionMs } from '#identity/console/sessions.js'
import { hashSecret } from '#identity/keys/secret.js'
import { readCaller } from '../http/authenticate.js'
import { callerNetwork } from '../http/callerAddress.js'
import type { ServiceEnv } from '../http/context.js'
import { readBody } from '../http/readBody.js'
import { readSession, writeSession } from '../http/sessionCookie.js'
import type { ConsoleGuards } from './consoleGuards.js'
import { PasskeyBody } from './passkeyBodies.js'

const LinkBody = z.object({ token: z.string().check(z.minLength(1), z.maxLength(200)) })
const EmailBody = z.object({ email: z.string().check(z.maxLength(254)) })

/** Serves how people sign in to the console: by a link in an e-mail, or by a passkey. */
export const serveSignIn = (
  deps: Deps,
  { attempt, count }: Pick<ConsoleGuards, 'attempt' | 'count'>,
): Hono<ServiceEnv> => {
  const { config } = deps
  const app = new Hono<ServiceEnv>()
  const networkOf = (c: Context<ServiceEnv>) => callerNetwork(c, config.isBehindProxy)
  const readOld = (c: Context<ServiceEnv>) => ({
    client: readCaller(c, config.isBehindProxy),
    oldToken: readSession(c, config),
  })
  app.post('/links', attempt, async (c) => {
    const { token: secret } = parseInput(LinkBody, await readBody(c), 'body')
    writeSession(c, config, await signInByLink(deps, { ...readOld(c), secret }), sessionMs)
    return c.json({ isSignedIn: true })
  })
  app.post('/emails', attempt, async (c) => {
    const { email } = parseInput(EmailBody, await readBody(c), 'body')
    const network = networkOf(c)
    // With the network, so that a stranger's requests keep no one else out.
    await count('accountSignInsPerMinute', `${hashSecret(readEmail(email))}:${network}`)
    await requestLink(deps, { email, network })
    return c.json({ isRequested: true })
  })
  app.post('/challenges', attempt, async (c) => c.json(await startPasskeySignIn(deps)))
  app.post('/assertions', attempt, async (c) => {
    const response = parseInput(PasskeyBody, await readBody(c), 'body')
    await count('accountSignInsPerMinute', `${hashSecret(response.id)}:${networkOf(c)}`)
    writeSession(c, config, await signInByPasskey(deps, { ...readOld(c), response }), sessionMs)
    return c.json({ isSignedIn: true })
  })
  app.get('/methods', (c) => c.json({ email: config.smtp !== undefined, passkey: true }))
  return app
}
