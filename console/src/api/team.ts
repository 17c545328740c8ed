import { queryOptions } from '@tanstack/react-query'
import { send } from './console.js'
import type { Role } from './session.js'

export type Member = {
  accountId: string
  name: string
  role: Role
  createdAt: string
  isCurrent: boolean
}

/** The people who work in the console, oldest first. */
export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: () => send<{ data: Member[] }>('GET', '/members'),
})

export const inviteMember = (invitation: { role: Role; email?: string }) =>
  send<{ link: string }>('POST', '/members/invitations', invitation)

export type Invitation = { invitationId: string; email: string | null; role: Role; expiresAt: string }

/** The invitations that still work, the first to end first. */
export const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: () => send<{ data: Invitation[] }>('GET', '/members/invitations'),
})

export const withdrawInvitation = (invitationId: string) =>
  send('DELETE', `/members/invitations/${invitationId}`)

export const changeRole = ({ accountId, role }: { accountId: string; role: Role }) =>
  send<Member>('PATCH', `/members/${accountId}`, { role })

export const removeMember = (accountId: string) => send('DELETE', `/members/${accountId}`)
