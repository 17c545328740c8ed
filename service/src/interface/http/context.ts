import type { HttpBindings } from '@hono/node-server'
import type { Actor, Call } from '#base/call.js'

/** The context that the middleware of this folder passes to the routes. */
export type ServiceEnv = {
  Bindings: Partial<HttpBindings>
  Variables: {
    requestId: string
    actor: Actor
    /** The key or secret that the caller presented, which only the caller knows. Never stored or logged. */
    credential: string
    call: Call
    /** The answer that is stored under the caller's idempotency key, which is sent as it is. */
    stored?: { status: 200 | 201; text: string }
    /** What the audit log says that the request acted on, where only its answer tells. */
    auditResource?: string
    /** Whether errors are answered as `{error: <text>}`. */
    hasTextErrors?: boolean
  }
}
