import { createRootRoute, createRoute, createRouter, Outlet } from '@tanstack/react-router'
import { AuditLog } from './pages/AuditLog.js'
import { Broken } from './pages/Broken.js'
import { CollectionPage } from './pages/CollectionPage.js'
import { Collections } from './pages/Collections.js'
import { Developers } from './pages/Developers.js'
import { EndpointPage } from './pages/EndpointPage.js'
import { EventPage } from './pages/EventPage.js'
import { Home } from './pages/Home.js'
import { Link } from './pages/Link.js'
import { Missing } from './pages/Missing.js'
import { OrderPage } from './pages/OrderPage.js'
import { Orders, readOrderFilters } from './pages/Orders.js'
import { PaymentLinks } from './pages/PaymentLinks.js'
import { Settings } from './pages/Settings.js'
import { Team } from './pages/Team.js'
import { Shell } from './shell/Shell.js'

const root = createRootRoute({ component: Outlet, notFoundComponent: Missing })
const link = createRoute({ getParentRoute: () => root, path: '/link', component: Link })
const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: Shell })
const getParentRoute = () => shell

/** Keeps the position in a list in the address, so that "back" returns to it. */
const readCursor = ({ cursor }: Record<string, unknown>): { cursor?: string } =>
  typeof cursor === 'string' ? { cursor } : {}

const home = createRoute({ getParentRoute, path: '/', component: Home })
const orders = createRoute({
  getParentRoute,
  path: '/orders',
  component: Orders,
  validateSearch: readOrderFilters,
})
const order = createRoute({ getParentRoute, path: '/orders/$orderId', component: OrderPage })
const auditLog = createRoute({
  getParentRoute,
  path: '/audit-log',
  component: AuditLog,
  validateSearch: readCursor,
})
const collections = createRoute({ getParentRoute, path: '/collections', component: Collections })
const collection = createRoute({
  getParentRoute,
  path: '/collections/$collectionId',
  component: CollectionPage,
})
const paymentLinks = createRoute({ getParentRoute, path: '/payment-links', component: PaymentLinks })
const developers = createRoute({ getParentRoute, path: '/developers', component: Developers })
const endpoint = createRoute({
  getParentRoute,
  path: '/developers/webhooks/$endpointId',
  component: EndpointPage,
})
const event = createRoute({
  getParentRoute,
  path: '/developers/webhooks/$endpointId/events/$eventId',
  component: EventPage,
})
const team = createRoute({ getParentRoute, path: '/team', component: Team })
const settings = createRoute({ getParentRoute, path: '/settings', component: Settings })

/** The pages of the console, by their paths below `/console`. */
export const router = createRouter({
  routeTree: root.addChildren([
    link,
    shell.addChildren([
      home,
      orders,
      order,
      collections,
      collection,
      paymentLinks,
      developers,
      endpoint,
      event,
      auditLog,
      team,
      settings,
    ]),
  ]),
  basepath: '/console',
  defaultErrorComponent: Broken,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
