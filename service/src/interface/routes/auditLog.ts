import { CursorQuery } from 'kassa/engine'
import { AuditEntryList } from 'kassa/schema'
import { listAuditEntries } from '#identity/console/audit.js'
import { toPageRequest } from './cursorQuery.js'
import { defineRoute, type Route } from './route.js'

/** Operations on the audit log. */
export const auditLogRoutes: readonly Route[] = [
  defineRoute('listAuditEntries', {
    summary: 'List the audit log',
    description:
      'What people did in the console of the project, newest first. It is an extension of the interface.',
    query: CursorQuery,
    answer: { status: 200, schema: AuditEntryList, description: 'A page of the audit log' },
    refusals: ['input-invalid'],
    run: (deps, call, { query }) => listAuditEntries(deps, call, toPageRequest(query)),
  }),
]
