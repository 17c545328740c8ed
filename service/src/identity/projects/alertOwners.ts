import { and, eq, isNotNull, or } from 'drizzle-orm'
import type { Transaction } from '#base/db/database.js'
import { consoleAccounts } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { createUuid } from '#base/lib/uuid.js'
import type { AccessAlert } from '#base/ports/jobs.js'

type AlertInput = AccessAlert & {
  projectId: string
  /** An account that is told too, if it is no owner. */
  accountId?: string
}

/**
 * Has an e-mail sent to each owner of a project about a new way into it, in the transaction that opens the way. Owners
 * without an e-mail address find it in the audit log.
 */
export const alertOwners = async (
  { jobs, now, randomBytes }: Pick<Deps, 'jobs' | 'now' | 'randomBytes'>,
  tx: Transaction,
  { projectId, accountId, ...alert }: AlertInput,
): Promise<void> => {
  const isTold = or(
    eq(consoleAccounts.role, 'owner'),
    accountId === undefined ? undefined : eq(consoleAccounts.id, accountId),
  )
  const told = await tx
    .select({ email: consoleAccounts.email })
    .from(consoleAccounts)
    .where(and(eq(consoleAccounts.projectId, projectId), isTold, isNotNull(consoleAccounts.email)))
  const at = new Date(now()).toISOString()
  for (const { email } of told) {
    if (email === null) continue
    const mailId = createUuid(randomBytes)
    await jobs.enqueue(tx, 'console.alert', { ...alert, mailId, projectId, to: email, at })
  }
}
