import { orderRoutes } from './orders.js'
import type { Route } from './route.js'

/** Every operation of the interface that this service serves. */
export const routes: readonly Route[] = [...orderRoutes]
