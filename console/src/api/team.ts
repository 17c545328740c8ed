import { queryOptions } from '@tanstack/react-query'
import { send } from './console.js'
import type { Role } from './requests.js'

/** The people who work in the console, oldest first. */
export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: () => send('GET /members'),
})

export const inviteMember = (invitation: { role: Role; email?: string }) =>
  send('POST /members/invitations', { body: invitation })

/** The invitations that still work, the first to end first. */
export const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: () => send('GET /members/invitations'),
})

export const withdrawInvitation = (invitationId: string) =>
  send('DELETE /members/invitations/:invitationId', { invitationId })

/** The server keys that a member made and that still work, oldest first. */
export const memberKeysQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['members', accountId, 'keys'],
    queryFn: () => send('GET /members/:accountId/keys', { accountId }),
  })

/** Keys of a member that the reader takes over. */
type Kept = { accountId: string; keepKeys?: string[] }

export const changeRole = ({ accountId, ...body }: Kept & { role: Role }) =>
  send('PATCH /members/:accountId', { accountId, body })

export const removeMember = ({ accountId, ...body }: Kept) =>
  send('DELETE /members/:accountId', { accountId, body })
