import { expectTypeOf, test } from 'vitest'
import type { Requests } from '../../console/src/api/requests.js'
import type {
  listPasskeys,
  startPasskeySignIn,
  startRegistration,
} from '../../service/src/identity/console/passkeys.js'
import type { listSessions, viewSession } from '../../service/src/identity/console/sessions.js'
import type {
  changeRole,
  inviteMember,
  listInvitations,
  listMemberKeys,
  listMembers,
} from '../../service/src/identity/console/team.js'

type Answer<Name extends keyof Requests> = Requests[Name]['answer']
type Result<Verb extends (...input: never) => unknown> = Awaited<ReturnType<Verb>>

test('default: the service answers the console what its pages read', () => {
  expectTypeOf<Result<typeof viewSession>>().toExtend<Answer<'GET /account/session'>>()
  expectTypeOf<{ data: Result<typeof listSessions> }>().toExtend<Answer<'GET /account/sessions'>>()
  expectTypeOf<{ data: Result<typeof listPasskeys> }>().toExtend<Answer<'GET /account/passkeys'>>()
  expectTypeOf<Result<typeof startRegistration>>().toExtend<Answer<'POST /account/passkeys/registration'>>()
  expectTypeOf<Result<typeof startPasskeySignIn>>().toExtend<Answer<'POST /auth/challenges'>>()
  expectTypeOf<{ data: Result<typeof listMembers> }>().toExtend<Answer<'GET /members'>>()
  expectTypeOf<{ link: Result<typeof inviteMember> }>().toExtend<Answer<'POST /members/invitations'>>()
  expectTypeOf<{ data: Result<typeof listInvitations> }>().toExtend<Answer<'GET /members/invitations'>>()
  expectTypeOf<{ data: Result<typeof listMemberKeys> }>().toExtend<Answer<'GET /members/:accountId/keys'>>()
  expectTypeOf<Result<typeof changeRole>>().toExtend<Answer<'PATCH /members/:accountId'>>()
})
