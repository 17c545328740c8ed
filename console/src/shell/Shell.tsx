import { Dialog } from '@base-ui/react/dialog'
import { Menu } from '@base-ui/react/menu'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import type { Session } from '../api/requests.js'
import { SessionContext, SignedOutContext, sessionQuery, signOut, useSession } from '../api/session.js'
import { Button } from '../components/Button.js'
import { Icon, type IconName } from '../components/Icon.js'
import { Loaded } from '../components/Loaded.js'
import icon from '../icon.svg'
import { formatAccount } from '../lib/format.js'
import { t } from '../messages/index.js'
import { SignIn } from './SignIn.js'

type Place = { to: string; icon: IconName; label: string; scope?: string }

const places: Place[] = [
  { to: '/', icon: 'home', label: t.nav.home, scope: 'orders.read' },
  { to: '/orders', icon: 'orders', label: t.nav.orders, scope: 'orders.read' },
  { to: '/collections', icon: 'collections', label: t.nav.collections, scope: 'collections.read' },
  { to: '/payment-links', icon: 'link', label: t.nav.paymentLinks, scope: 'orders.read' },
  { to: '/developers', icon: 'code', label: t.nav.developers, scope: 'webhooks.read' },
  { to: '/audit-log', icon: 'audit', label: t.nav.audit, scope: 'audit.read' },
  { to: '/team', icon: 'team', label: t.nav.team, scope: 'console.members' },
]

const Brand = () => {
  const { projectName } = useSession()
  return (
    <p className="brand">
      <img src={icon} alt="" />
      <span>{projectName}</span>
    </p>
  )
}

const Account = () => {
  const { account } = useSession()
  const queries = useQueryClient()
  const leave = useMutation({
    mutationFn: signOut,
    onSettled: () => {
      queries.clear()
      location.assign('/console')
    },
  })
  return (
    <Menu.Root>
      <Menu.Trigger className="nav-link" data-account="">
        <Icon name="person" />
        <span className="hidden">{t.nav.account}</span>
        <span className="who">
          <span>{formatAccount(account.name)}</span>
          <small>{t.roles[account.role]}</small>
        </span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="menu-place" side="top" align="start" sideOffset={4}>
          <Menu.Popup className="menu">
            <Menu.Item className="menu-item" render={<Link to="/settings" />}>
              <Icon name="person" />
              {t.nav.settings}
            </Menu.Item>
            <Menu.Item className="menu-item" onClick={() => leave.mutate()}>
              <Icon name="exit" />
              {t.nav.signOut}
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

const Side = ({ onLeave }: { onLeave?: () => void }) => {
  const { scopes, environment } = useSession()
  return (
    <div className="side">
      <Brand />
      {environment === 'staging' && (
        <span className="badge" data-tone="warn">
          {t.testMode}
        </span>
      )}
      <nav aria-label={t.nav.label} className="nav">
        {places
          .filter(({ scope }) => !scope || scopes.includes(scope))
          .map((place) => (
            <Link
              key={place.to}
              to={place.to}
              className="nav-link"
              activeOptions={{ exact: place.to === '/', includeSearch: false }}
              onClick={onLeave}
            >
              <Icon name={place.icon} />
              {place.label}
            </Link>
          ))}
      </nav>
      <div>
        <Account />
      </div>
    </div>
  )
}

const TopBar = () => {
  const [openAt, setOpenAt] = useState<string>()
  const { pathname } = useLocation()
  return (
    <div className="top">
      <Brand />
      {/* A page that was gone to closes the menu. */}
      <Dialog.Root open={openAt === pathname} onOpenChange={(open) => setOpenAt(open ? pathname : undefined)}>
        <Dialog.Trigger render={<Button kind="plain" shape="icon" aria-label={t.nav.open} />}>
          <Icon name="menu" />
        </Dialog.Trigger>
        <Dialog.Portal>
          <Dialog.Backdrop className="shade" />
          <Dialog.Popup className="drawer" aria-label={t.nav.label}>
            <Side onLeave={() => setOpenAt(undefined)} />
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
    </div>
  )
}

/** Renders a page for a session, and keeps it without one as long as it holds text. */
const Behind = ({ known }: { known: Session | null }) => {
  const [last, setLast] = useState(known)
  const [holders, setHolders] = useState(0)
  const keepPage = useCallback(() => {
    setHolders((number) => number + 1)
    return () => setHolders((number) => number - 1)
  }, [])
  if (known && known !== last) setLast(known)
  const session = known ?? (holders ? last : null)
  if (!session) return <SignIn />
  return (
    <SignedOutContext value={{ isSignedOut: !known, keepPage }}>
      {/* Another person finds nothing of what the last one entered. */}
      <SessionContext key={session.account.accountId} value={session}>
        <a className="skip" href="#main">
          {t.skip}
        </a>
        <div className="shell">
          <Side />
          <TopBar />
          <main id="main" className="main" tabIndex={-1}>
            <Outlet />
          </main>
        </div>
      </SessionContext>
    </SignedOutContext>
  )
}

/** Renders a page beside the navigation, or the sign-in in its place. */
export const Shell = () => {
  const session = useQuery(sessionQuery)
  return <Loaded query={session}>{(known) => <Behind known={known} />}</Loaded>
}
