import { and, desc, eq } from 'drizzle-orm'
import type { PaymentLink, PaymentLinkList } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Database, Transaction } from '#base/db/database.js'
import { type PaymentLinkRow, paymentLinks } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { requireServerScope } from '#identity/authorize.js'
import { countUses } from '../orders/linkUses.js'
import { viewLink } from './viewLink.js'

type ReadDeps = Pick<Deps, 'db' | 'config' | 'now'>

/** Returns payment links as their merchant sees them. */
export const viewLinks = async (
  { config, now }: Pick<ReadDeps, 'config' | 'now'>,
  db: Database | Transaction,
  links: readonly PaymentLinkRow[],
): Promise<PaymentLink[]> => {
  const nowMs = now()
  const uses = await countUses(db, { ids: links.map(({ id }) => id), nowMs })
  return links.map((link) => viewLink(config, link, { uses: uses.get(link.id), nowMs }))
}

/** Whether a text may be the id of a payment link. The database would refuse to look for some others. */
export const isLinkId = (text: string): boolean => /^pl_[A-Za-z0-9_-]{24}$/.test(text)

/** Returns the refusal of an id that no payment link of the project has. */
export const noLink = (): ServiceError => new ServiceError('not-found', 'Payment link not found')

/**
 * Lists the payment links of a project, newest first.
 *
 * @throws {@link ServiceError} `forbidden`.
 */
export const listPaymentLinks = async (
  deps: ReadDeps,
  { actor }: Call,
  { page, perPage }: { page: number; perPage: number },
): Promise<PaymentLinkList> => {
  requireServerScope(actor, 'orders.read')
  const data = await deps.db.transaction(
    async (tx) => {
      const rows = await tx
        .select()
        .from(paymentLinks)
        .where(eq(paymentLinks.projectId, actor.projectId))
        .orderBy(desc(paymentLinks.createdAt), desc(paymentLinks.id))
        .limit(perPage)
        .offset((page - 1) * perPage)
      return viewLinks(deps, tx, rows)
    },
    { isolationLevel: 'repeatable read' },
  )
  return { data }
}

/**
 * Gets a payment link.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`.
 */
export const getPaymentLink = async (
  deps: ReadDeps,
  { actor }: Call,
  { paymentLinkId }: { paymentLinkId: string },
): Promise<PaymentLink> => {
  requireServerScope(actor, 'orders.read')
  const isOwn = and(eq(paymentLinks.id, paymentLinkId), eq(paymentLinks.projectId, actor.projectId))
  const rows = isLinkId(paymentLinkId) ? await deps.db.select().from(paymentLinks).where(isOwn) : []
  const [link] = await viewLinks(deps, deps.db, rows)
  if (!link) throw noLink()
  return link
}
