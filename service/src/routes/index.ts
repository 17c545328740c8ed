import { actionRoutes } from './actions.js'
import { collectionRoutes } from './collections.js'
import { nftRoutes } from './nfts.js'
import { orderRoutes } from './orders.js'
import type { Route } from './route.js'
import { templateRoutes } from './templates.js'

/** Every operation of the interface that this service serves. */
export const routes: readonly Route[] = [
  ...collectionRoutes,
  ...templateRoutes,
  ...nftRoutes,
  ...actionRoutes,
  ...orderRoutes,
]
