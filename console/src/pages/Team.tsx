import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Invitation, type Member, type Role, roles } from '../api/requests.js'
import { sessionQuery } from '../api/session.js'
import { changeRole, invitationsQuery, membersQuery, removeMember, withdrawInvitation } from '../api/team.js'
import { Badge } from '../components/Badge.js'
import { Button } from '../components/Button.js'
import { Card } from '../components/Card.js'
import { Confirm } from '../components/Confirm.js'
import { type Column, DataTable } from '../components/DataTable.js'
import { Loaded } from '../components/Loaded.js'
import { Page } from '../components/Page.js'
import { useToast } from '../components/Toast.js'
import { describeError } from '../lib/describeError.js'
import { formatAccount, formatDay, formatTime } from '../lib/format.js'
import { t } from '../messages/index.js'
import { Allowed } from '../shell/Allowed.js'
import { EndRoleDialog } from '../team/EndRoleDialog.js'
import { InviteDialog } from '../team/InviteDialog.js'

const s = t.team

/** Reads the team again, and the reader's own role, which may have changed with it. */
const useRefreshTeam = () => {
  const queries = useQueryClient()
  return async () => {
    await Promise.all([queries.invalidateQueries(membersQuery), queries.invalidateQueries(sessionQuery)])
  }
}

const RoleSelect = ({ member }: { member: Member }) => {
  const say = useToast()
  const refresh = useRefreshTeam()
  const [asked, setAsked] = useState<Role>()
  const change = useMutation({
    mutationFn: changeRole,
    onSuccess: ({ name, role }) => say(s.changed(formatAccount(name), t.roles[role])),
    onError: (error) => say(describeError(error)),
    onSettled: refresh,
  })
  const { accountId } = member
  const name = formatAccount(member.name)
  const choose = (role: Role) => {
    // Only owners make keys and invitations, which end with the role.
    if (member.role === 'owner' && role !== 'owner') setAsked(role)
    else change.mutate({ accountId, role })
  }
  return (
    <>
      <select
        className="input role"
        aria-label={s.roleOf(name)}
        value={change.isPending ? change.variables.role : member.role}
        onChange={({ target }) => choose(target.value as Role)}
      >
        {roles.map((role) => (
          <option key={role} value={role}>
            {t.roles[role]}
          </option>
        ))}
      </select>
      <EndRoleDialog
        member={member}
        title={asked ? s.lowerTitle(name, t.roles[asked]) : ''}
        text={s.lowerText}
        legend={s.limitKeys}
        action={s.lower}
        isOpen={asked !== undefined}
        onClose={() => setAsked(undefined)}
        run={async (keepKeys) => {
          if (asked) await change.mutateAsync({ accountId, role: asked, keepKeys })
        }}
      />
    </>
  )
}

const Remove = ({ member }: { member: Member }) => {
  const say = useToast()
  const refresh = useRefreshTeam()
  const [isOpen, setOpen] = useState(false)
  const { accountId } = member
  const name = formatAccount(member.name)
  return (
    <>
      <Button size="small" aria-label={s.removeOf(name)} onClick={() => setOpen(true)}>
        {s.remove}
      </Button>
      <EndRoleDialog
        member={member}
        title={s.removeTitle(name)}
        text={s.removeText}
        legend={s.revokeKeys}
        action={s.remove}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        run={async (keepKeys) => {
          await removeMember({ accountId, keepKeys })
          say(s.removed(name))
          await refresh()
        }}
      />
    </>
  )
}

const columns: Column<Member>[] = [
  {
    id: 'member',
    header: s.member,
    cell: ({ row: { original } }) => (
      <>
        <span className="strong">{formatAccount(original.name)}</span>{' '}
        {original.isCurrent && <Badge>{s.you}</Badge>}
      </>
    ),
  },
  { id: 'since', header: s.since, cell: ({ row }) => formatDay(row.original.createdAt) },
  { id: 'role', header: s.role, cell: ({ row }) => <RoleSelect member={row.original} /> },
  {
    id: 'actions',
    header: () => <span className="hidden">{t.actions}</span>,
    cell: ({ row }) => <Remove member={row.original} />,
  },
]

const classes = { since: 'wide tight soft', role: 'tight', actions: 'end tight' }

const Withdraw = ({ invitation: { invitationId, email } }: { invitation: Invitation }) => {
  const say = useToast()
  const queries = useQueryClient()
  const withdraw = async () => {
    await withdrawInvitation(invitationId)
    say(s.withdrawn)
    await queries.invalidateQueries(invitationsQuery)
  }
  return (
    <Confirm
      size="small"
      label={s.withdraw}
      name={s.withdrawOf(email ?? s.withoutEmail)}
      title={s.withdrawTitle}
      text={s.withdrawText}
      action={s.withdraw}
      run={withdraw}
    />
  )
}

const invitationColumns: Column<Invitation>[] = [
  {
    id: 'member',
    header: s.person,
    cell: ({ row: { original } }) => original.email ?? <span className="soft">{s.withoutEmail}</span>,
  },
  { id: 'since', header: s.expires, cell: ({ row }) => formatTime(row.original.expiresAt) },
  { id: 'role', header: s.role, cell: ({ row }) => t.roles[row.original.role] },
  {
    id: 'actions',
    header: () => <span className="hidden">{t.actions}</span>,
    cell: ({ row }) => <Withdraw invitation={row.original} />,
  },
]

/** The invitations that still work; nothing while there are none. */
const Invitations = () => {
  const { data: { data } = { data: [] } } = useQuery(invitationsQuery)
  if (!data.length) return null
  return (
    <Card title={s.open}>
      <DataTable
        caption={s.open}
        columns={invitationColumns}
        rows={data}
        classes={classes}
        getId={({ invitationId }) => invitationId}
      />
    </Card>
  )
}

const Members = () => {
  const query = useQuery(membersQuery)
  return (
    <Page title={s.title} text={s.text} actions={<InviteDialog />}>
      <Loaded query={query}>
        {({ data }) => (
          <div className="card">
            <DataTable
              caption={s.title}
              columns={columns}
              rows={data}
              classes={classes}
              getId={({ accountId }) => accountId}
            />
          </div>
        )}
      </Loaded>
      <Invitations />
    </Page>
  )
}

/** Who works in the console. */
export const Team = () => (
  <Allowed scope="console.members">
    <Members />
  </Allowed>
)
