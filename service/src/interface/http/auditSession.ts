import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { endAct, recordAct } from '#identity/console/audit.js'
import type { ServiceEnv } from './context.js'

type AuditDeps = Pick<Deps, 'db' | 'now' | 'randomBytes' | 'log'>

/** Names the ids in a request's path, for the audit log. */
export const namePath = (c: Context): string[] =>
  Object.entries(c.req.param()).map(([name, value]) => `${name}=${value}`)

/**
 * Writes what a session of the console changes or exports to the audit log. The row is there before the change, so that there is
 * no change without one: if the process ends in between, its outcome stays `pending`.
 *
 * @param operation - The operation's name. Other reads are not written.
 */
export const auditSession = (deps: AuditDeps, operation: string) =>
  createMiddleware<ServiceEnv>(async (c, next) => {
    const { actor, client } = c.get('call')
    if (actor.kind !== 'session') return next()
    const { ipAddress } = client
    const id = await recordAct(deps, deps.db, {
      projectId: actor.projectId,
      accountId: actor.accountId,
      actor: actor.accountName,
      operation,
      outcome: 'pending',
      requestId: c.get('requestId'),
      ...(ipAddress && { ipAddress }),
      resource: namePath(c).join(' '),
    })
    await next()
    const isRefused = c.error instanceof ServiceError && c.error.status < 500
    const outcome = isRefused ? 'refused' : c.error ? 'failed' : 'succeeded'
    await endAct(deps.db, id, { outcome, resource: c.get('auditResource') }).catch((err) =>
      deps.log.warn({ err, auditEntryId: id }, 'the outcome of an act was not written to the audit log'),
    )
  })
