import { Hono } from 'hono'
import * as z from 'zod/mini'
import type { Deps } from '#base/deps.js'
import { parseInput } from '#base/lib/parseInput.js'
import { confirmByCode, requestCode } from '#identity/console/codes.js'
import {
  addPasskey,
  confirmByPasskey,
  listPasskeys,
  removePasskey,
  startRegistration,
} from '#identity/console/passkeys.js'
import { endOtherSessions, endSession, listSessions, viewSession } from '#identity/console/sessions.js'
import { auditSession } from '../http/auditSession.js'
import type { ServiceEnv } from '../http/context.js'
import { readBody } from '../http/readBody.js'
import { clearSession } from '../http/sessionCookie.js'
import { type ConsoleGuards, sessionOf } from './consoleGuards.js'
import { PasskeyBody, RegistrationBody } from './passkeyBodies.js'

const ConfirmationBody = z.union([z.object({ code: z.string().check(z.maxLength(40)) }), PasskeyBody])

/** Serves the account of a person who has signed in: sessions, confirmations and passkeys. */
export const serveAccount = (deps: Deps, { count }: Pick<ConsoleGuards, 'count'>): Hono<ServiceEnv> => {
  const app = new Hono<ServiceEnv>()
  const audit = (operation: string) => auditSession(deps, operation)
  app.get('/session', async (c) => c.json(await viewSession(deps, sessionOf(c.get('actor')))))
  app.delete('/session', audit('signOut'), async (c) => {
    const actor = sessionOf(c.get('actor'))
    await endSession(deps, actor, actor.sessionId)
    clearSession(c, deps.config)
    return c.json({ isSignedIn: false })
  })
  app.get('/sessions', async (c) => c.json({ data: await listSessions(deps, sessionOf(c.get('actor'))) }))
  app.delete('/sessions', audit('endOtherSessions'), async (c) => {
    await endOtherSessions(deps, sessionOf(c.get('actor')))
    return c.json({})
  })
  app.delete('/sessions/:sessionId', audit('endSession'), async (c) => {
    await endSession(deps, sessionOf(c.get('actor')), c.req.param('sessionId'))
    return c.json({})
  })
  app.post('/confirmations/codes', async (c) => {
    const actor = sessionOf(c.get('actor'))
    await count('accountSignInsPerMinute', `code:${actor.accountId}`)
    await requestCode(deps, actor)
    return c.json({ isRequested: true })
  })
  app.post('/confirmations', audit('confirmSession'), async (c) => {
    const actor = sessionOf(c.get('actor'))
    await count('accountSignInsPerMinute', `confirmation:${actor.accountId}`)
    const body = parseInput(ConfirmationBody, await readBody(c), 'body')
    if ('code' in body) await confirmByCode(deps, actor, body.code)
    else await confirmByPasskey(deps, actor, body)
    return c.json({ isConfirmed: true })
  })
  app.post('/passkeys/registration', async (c) =>
    c.json(await startRegistration(deps, sessionOf(c.get('actor')))),
  )
  app.get('/passkeys', async (c) => c.json({ data: await listPasskeys(deps, sessionOf(c.get('actor'))) }))
  app.post('/passkeys', audit('addPasskey'), async (c) => {
    const response = parseInput(RegistrationBody, await readBody(c), 'body')
    return c.json(await addPasskey(deps, sessionOf(c.get('actor')), response), 201)
  })
  app.delete('/passkeys/:passkeyId', audit('removePasskey'), async (c) => {
    await removePasskey(deps, sessionOf(c.get('actor')), c.req.param('passkeyId'))
    return c.json({})
  })
  return app
}
