import type { PaymentLink } from 'kassa/schema'
import type { Config } from '#base/config/config.js'
import type { PaymentLinkRow } from '#base/db/tables/index.js'
import { explainClosed, type LinkUses } from '../orders/linkUses.js'

const unused: LinkUses = { paid: 0, reserved: 0 }

/** Returns whether a payment link sells, and why not. */
export const statusOf = (
  link: PaymentLinkRow,
  { paid }: LinkUses = unused,
  nowMs: number,
): PaymentLink['status'] => {
  if (link.deactivatedAt) return 'deactivated'
  if (link.maxUses !== null && paid >= link.maxUses) return 'used-up'
  return explainClosed(link, nowMs) === undefined ? 'active' : 'ended'
}

/** Returns a payment link as its merchant sees it. */
export const viewLink = (
  { publicUrl }: Pick<Config, 'publicUrl'>,
  link: PaymentLinkRow,
  { uses = unused, nowMs }: { uses?: LinkUses | undefined; nowMs: number },
): PaymentLink => ({
  paymentLinkId: link.id,
  url: `${publicUrl}/pay/${link.id}`,
  status: statusOf(link, uses, nowMs),
  ...(link.title !== null && { title: link.title }),
  lineItems: link.lineItems.map(({ collectionLocator, quantity }) => ({ collectionLocator, quantity })),
  ...(link.maxQuantity !== null && { maxQuantity: link.maxQuantity }),
  ...(link.payment && { payment: link.payment }),
  ...(link.maxUses !== null && { maxUses: link.maxUses }),
  uses,
  ...(link.expiresAt && { expiresAt: link.expiresAt.toISOString() }),
  ...(link.successUrl !== null && { successUrl: link.successUrl }),
  createdAt: link.createdAt.toISOString(),
})
