import type { AuditEntryList } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readAuditEntryList } from '../schema/refundReaders.js'
import type { Client } from './client.js'
import { type KeyCallParameters, requestBody } from './request.js'
import { writeQuery } from './writeQuery.js'

/** Parameters of {@link listAuditEntries}. */
export type ListAuditEntriesParameters = KeyCallParameters & {
  /** The `nextCursor` or `previousCursor` of another page; without it, the newest acts. */
  cursor?: string | undefined
  /** From 1 to 100; 30 by default. */
  limit?: number | undefined
}

/**
 * Lists what people did in the console of a project, newest first, page by page.
 *
 * @throws {@link KassaError} `api.forbidden` without a server key that has `audit.read`, `api.bad-request` for a page
 * that cannot be, …
 */
export const listAuditEntries = (
  client: Client,
  { cursor, limit, ...call }: ListAuditEntriesParameters = {},
): Promise<AuditEntryList> =>
  requestBody(client, {
    operation: operations.listAuditEntries,
    params: {},
    query: writeQuery({ cursor, limit }),
    answer: readAuditEntryList,
    ...call,
  })
