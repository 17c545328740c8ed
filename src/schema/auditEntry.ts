import * as z from 'zod/mini'
import { maybe } from './maybe.js'
import type { AuditOutcome } from './members.js'
import { known, openObject } from './open.js'

/** An act of a person in the console. It contains no secret and nothing of a request's body. */
export const AuditEntry = openObject({
  entryId: z.string(),
  /** Who it was. `accountId` is absent for the operator's command line. */
  actor: openObject({ name: z.string(), accountId: maybe(z.string()) }),
  /** The operation, such as `createRefund`. */
  operation: z.string(),
  /** The ids of what it acted on, such as `orderId=…`. */
  resource: z.string(),
  outcome: known<AuditOutcome>(),
  requestId: maybe(z.string()),
  ipAddress: maybe(z.string()),
  createdAt: z.string(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** A page of the audit log, newest first. */
export const AuditEntryList = openObject({
  data: z.array(AuditEntry),
  nextCursor: maybe(z.string()),
  previousCursor: maybe(z.string()),
})
export type AuditEntryList = z.infer<typeof AuditEntryList>
