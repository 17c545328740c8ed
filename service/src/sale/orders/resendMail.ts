import { and, eq } from 'drizzle-orm'
import type { ResentMail } from 'kassa/schema'
import type { Call } from '#base/call.js'
import { mails } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { isUuid } from '#base/lib/uuid.js'
import { requireServerScope } from '#identity/authorize.js'
import { copyMail } from '#notify/mails/sendMail.js'

/**
 * Sends an e-mail about an order once more, to the same address and with the same content.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`.
 */
export const resendMail = (
  deps: Pick<Deps, 'db' | 'jobs' | 'now' | 'randomBytes'>,
  { actor, complete }: Call,
  { orderId, mailId }: { orderId: string; mailId: string },
): Promise<ResentMail> => {
  requireServerScope(actor, 'mails.send')
  return deps.db.transaction(async (tx) => {
    const isIt = and(eq(mails.orderId, orderId), eq(mails.projectId, actor.projectId), eq(mails.id, mailId))
    const [mail] = isUuid(orderId) && isUuid(mailId) ? await tx.select().from(mails).where(isIt) : []
    if (!mail) throw new ServiceError('not-found', 'Not found')
    const { recipient, kind } = mail
    const answer = { mailId: await copyMail(deps, tx, mail), kind, recipient }
    await complete(tx, { status: 201, body: answer })
    return answer
  })
}
