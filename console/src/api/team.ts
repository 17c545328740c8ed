import { queryOptions } from '@tanstack/react-query'
import type { ApiKey } from 'kassa/schema'
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

/** The server keys that a member made and that still work, oldest first. */
export const memberKeysQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['members', accountId, 'keys'],
    queryFn: () => send<{ data: ApiKey[] }>('GET', `/members/${accountId}/keys`),
  })

/** Keys of a member that the reader takes over. */
type Kept = { accountId: string; keepKeys?: string[] }

export const changeRole = ({ accountId, ...body }: Kept & { role: Role }) =>
  send<Member>('PATCH', `/members/${accountId}`, body)

export const removeMember = ({ accountId, ...body }: Kept) => send('DELETE', `/members/${accountId}`, body)
