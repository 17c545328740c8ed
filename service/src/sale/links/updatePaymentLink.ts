import { and, eq } from 'drizzle-orm'
import { noLimit, type PaymentLink, type UpdatePaymentLinkBody } from 'kassa/schema'
import type { Call } from '#base/call.js'
import { type PaymentLinkRow, paymentLinks } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { requireServerScope } from '#identity/authorize.js'
import { readEnd, readSuccessUrl } from './linkTerms.js'
import { isLinkId, noLink, viewLinks } from './readLinks.js'

type UpdateDeps = Pick<Deps, 'db' | 'config' | 'now'>

type Changes = Partial<
  Pick<PaymentLinkRow, 'title' | 'maxUses' | 'expiresAt' | 'successUrl' | 'deactivatedAt'>
>

const readChanges = async (
  deps: UpdateDeps,
  projectId: string,
  { status, title, maxUses, expiresAt, successUrl }: UpdatePaymentLinkBody,
): Promise<Changes> => ({
  ...(status && { deactivatedAt: status === 'deactivated' ? new Date(deps.now()) : null }),
  ...(title !== undefined && { title }),
  ...(maxUses !== undefined && { maxUses: maxUses === noLimit ? null : maxUses }),
  ...(expiresAt !== undefined && { expiresAt: expiresAt === noLimit ? null : readEnd(deps, expiresAt) }),
  ...(successUrl !== undefined && {
    successUrl: successUrl === null ? null : await readSuccessUrl(deps, projectId, successUrl),
  }),
})

/**
 * Changes, deactivates or activates a payment link. An order that a buyer has begun can be paid as long as its quote is
 * valid, and is quoted again only while the link takes orders.
 *
 * @throws {@link ServiceError} `forbidden`, `input-invalid`, `not-found`.
 */
export const updatePaymentLink = async (
  deps: UpdateDeps,
  { actor }: Call,
  { paymentLinkId, ...body }: UpdatePaymentLinkBody & { paymentLinkId: string },
): Promise<PaymentLink> => {
  requireServerScope(actor, 'orders.create')
  const { projectId } = actor
  if (!isLinkId(paymentLinkId)) throw noLink()
  const changes = await readChanges(deps, projectId, body)
  const isOwn = and(eq(paymentLinks.id, paymentLinkId), eq(paymentLinks.projectId, projectId))
  const rows = await deps.db.update(paymentLinks).set(changes).where(isOwn).returning()
  const [link] = await viewLinks(deps, deps.db, rows)
  if (!link) throw noLink()
  return link
}
