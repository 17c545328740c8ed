import type { HttpBindings } from '@hono/node-server'
import type { Actor, Call } from '../call.js'

/** What the middleware of this folder hands on to the routes. */
export type ServiceEnv = {
  Bindings: Partial<HttpBindings>
  Variables: {
    requestId: string
    actor: Actor
    /** The key or secret the caller showed: what it alone knows, and nothing keeps. Never logged. */
    credential: string
    call: Call
    /** Whether errors are answered as `{error: <text>}`. */
    hasTextErrors?: boolean
  }
}
