import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ConsoleError } from '../api/console.js'
import type { ListedSession, Passkey } from '../api/requests.js'
import {
  addPasskey,
  endOtherSessions,
  endSession,
  healthQuery,
  passkeysQuery,
  removePasskey,
  sessionsQuery,
  useSession,
} from '../api/session.js'
import { Badge } from '../components/Badge.js'
import { Button } from '../components/Button.js'
import { Card } from '../components/Card.js'
import { Confirm } from '../components/Confirm.js'
import { Facts } from '../components/Facts.js'
import { Loaded } from '../components/Loaded.js'
import { Page } from '../components/Page.js'
import { useToast } from '../components/Toast.js'
import { formatAccount, formatDay, formatTime, readUserAgent } from '../lib/format.js'
import { t } from '../messages/index.js'

const s = t.settings

const PasskeyRow = ({ passkey, number }: { passkey: Passkey; number: number }) => {
  const queries = useQueryClient()
  const say = useToast()
  const name = s.passkey(number)
  const used = passkey.usedAt ? s.usedAt(formatDay(passkey.usedAt)) : s.unused
  const remove = async () => {
    await removePasskey(passkey.passkeyId)
    say(s.removed)
    await queries.invalidateQueries(passkeysQuery)
  }
  return (
    <li>
      <div>
        <p className="strong">{name}</p>
        <p className="soft">
          {s.addedAt(formatDay(passkey.createdAt))}, {used}
        </p>
      </div>
      <Confirm
        size="small"
        label={s.remove}
        name={s.removeOf(name)}
        title={s.removeTitle}
        text={s.removeText}
        action={s.remove}
        run={remove}
      />
    </li>
  )
}

const Passkeys = () => {
  const query = useQuery(passkeysQuery)
  const queries = useQueryClient()
  const say = useToast()
  const add = useMutation({
    mutationFn: addPasskey,
    onSuccess: async () => {
      say(s.added)
      await queries.invalidateQueries(passkeysQuery)
    },
  })
  const actions = (
    <Button isBusy={add.isPending} onClick={() => add.mutate()}>
      {s.add}
    </Button>
  )
  return (
    <Card title={s.passkeys} text={s.passkeysText} actions={actions}>
      {add.error && (
        <p className="quiet problem" role="alert">
          {add.error instanceof ConsoleError ? add.error.message : s.notAdded}
        </p>
      )}
      <Loaded query={query}>
        {({ data }) =>
          data.length ? (
            <ul className="rows">
              {data.map((passkey, index) => (
                <PasskeyRow key={passkey.passkeyId} passkey={passkey} number={index + 1} />
              ))}
            </ul>
          ) : (
            <p className="quiet">{s.noPasskeys}</p>
          )
        }
      </Loaded>
    </Card>
  )
}

const nameSession = ({ userAgent = '' }: ListedSession): string => {
  const known = readUserAgent(userAgent)
  return known ? s.browserOn(known.browser, known.system) : s.unknownBrowser
}

const SessionRow = ({ session }: { session: ListedSession }) => {
  const queries = useQueryClient()
  const say = useToast()
  const name = nameSession(session)
  const end = useMutation({
    mutationFn: () => endSession(session.sessionId),
    onSuccess: async () => {
      say(s.ended)
      await queries.invalidateQueries(sessionsQuery)
    },
  })
  return (
    <li>
      <div>
        <p className="strong">{name}</p>
        <p className="soft">
          {[s.seen(formatTime(session.seenAt)), session.ipAddress].filter(Boolean).join(' · ')}
        </p>
      </div>
      {session.isCurrent ? (
        <Badge tone="good">{s.current}</Badge>
      ) : (
        <Button size="small" aria-label={s.endOf(name)} isBusy={end.isPending} onClick={() => end.mutate()}>
          {s.end}
        </Button>
      )}
    </li>
  )
}

const Sessions = () => {
  const query = useQuery(sessionsQuery)
  const queries = useQueryClient()
  const say = useToast()
  const endOthers = useMutation({
    mutationFn: endOtherSessions,
    onSuccess: async () => {
      say(s.othersEnded)
      await queries.invalidateQueries(sessionsQuery)
    },
  })
  const actions = (query.data?.data.length ?? 0) > 1 && (
    <Button isBusy={endOthers.isPending} onClick={() => endOthers.mutate()}>
      {s.endOthers}
    </Button>
  )
  return (
    <Card title={s.sessions} text={s.sessionsText} actions={actions}>
      <Loaded query={query}>
        {({ data }) => (
          <ul className="rows">
            {data.map((session) => (
              <SessionRow key={session.sessionId} session={session} />
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}

const tones = { ok: 'good', warning: 'warn', failed: 'bad' } as const

/** What the service needs, for those who can do something about it. */
const Health = () => {
  const query = useQuery(healthQuery)
  return (
    <Card title={s.health} text={s.healthText}>
      <Loaded query={query}>
        {({ checks }) =>
          checks ? (
            <ul className="rows">
              {checks.map(({ name, status, text }) => (
                <li key={name}>
                  <div>
                    <p className="strong">{name}</p>
                    <p className="soft">{text}</p>
                  </div>
                  <Badge tone={tones[status]}>{s.healthStatus[status]}</Badge>
                </li>
              ))}
            </ul>
          ) : (
            <p className="quiet">{s.healthMissing}</p>
          )
        }
      </Loaded>
    </Card>
  )
}

/** The reader's own account: its passkeys and sessions. */
export const Settings = () => {
  const { account } = useSession()
  const role = (
    <>
      {t.roles[account.role]}
      <span className="soft"> · {t.roleMay[account.role]}</span>
    </>
  )
  return (
    <Page title={s.title}>
      <section className="card" aria-label={s.name}>
        <div className="card-body">
          <Facts
            of={[
              [s.name, formatAccount(account.name)],
              [s.role, role],
            ]}
          />
        </div>
      </section>
      <Passkeys />
      <Sessions />
      {account.role === 'owner' && <Health />}
    </Page>
  )
}
