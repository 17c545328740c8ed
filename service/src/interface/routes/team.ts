import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import type { Deps } from '#base/deps.js'
import { parseInput } from '#base/lib/parseInput.js'
import {
  changeRole,
  inviteMember,
  listInvitations,
  listMemberKeys,
  listMembers,
  removeMember,
  type TeamCall,
  withdrawInvitation,
} from '#identity/console/team.js'
import type { ServiceEnv } from '../http/context.js'
import { readBody } from '../http/readBody.js'

const role = z.string().check(z.maxLength(20))
const InvitationBody = z.object({ role, email: z.optional(z.string().check(z.maxLength(254))) })
const keepKeys = z.optional(z.array(z.string().check(z.maxLength(40))).check(z.maxLength(1000)))
const RoleBody = z.object({ role, keepKeys })
const RemovalBody = z.object({ keepKeys })

const readCall = (c: Context<ServiceEnv>): TeamCall => {
  const { actor, client } = c.get('call')
  if (actor.kind !== 'session') throw new Error('a request of the console has no session')
  return { actor, requestId: c.get('requestId'), ipAddress: client.ipAddress }
}

/** Serves the team of a project to its owners. What changes it is written to the audit log with the change. */
export const serveTeam = (deps: Deps): Hono<ServiceEnv> => {
  const app = new Hono<ServiceEnv>()
  app.get('/', async (c) => c.json({ data: await listMembers(deps, readCall(c)) }))
  app.post('/invitations', async (c) => {
    const input = parseInput(InvitationBody, await readBody(c), 'body')
    return c.json({ link: await inviteMember(deps, readCall(c), input) }, 201)
  })
  app.get('/invitations', async (c) => c.json({ data: await listInvitations(deps, readCall(c)) }))
  app.delete('/invitations/:invitationId', async (c) => {
    await withdrawInvitation(deps, readCall(c), { invitationId: c.req.param('invitationId') })
    return c.json({})
  })
  app.get('/:accountId/keys', async (c) => {
    const accountId = c.req.param('accountId')
    return c.json({ data: await listMemberKeys(deps, readCall(c), { accountId }) })
  })
  app.patch('/:accountId', async (c) => {
    const input = parseInput(RoleBody, await readBody(c), 'body')
    return c.json(await changeRole(deps, readCall(c), { ...input, accountId: c.req.param('accountId') }))
  })
  app.delete('/:accountId', async (c) => {
    const input = parseInput(RemovalBody, await readBody(c, true), 'body')
    await removeMember(deps, readCall(c), { ...input, accountId: c.req.param('accountId') })
    return c.json({})
  })
  return app
}
