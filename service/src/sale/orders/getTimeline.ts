import { and, asc, eq } from 'drizzle-orm'
import { type OrderState, viewRefund } from 'kassa/engine'
import { fromBaseUnits, type OrderTimeline, type TimelineEntry } from 'kassa/schema'
import type { Call } from '#base/call.js'
import { mails, orders, payments, refunds, webhookDeliveries, webhookEvents } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { isUuid } from '#base/lib/uuid.js'
import { requireServerScope } from '#identity/authorize.js'

type TimelineDeps = Pick<Deps, 'db'>

const iso = (epochMs: number): string => new Date(epochMs).toISOString()

const listPayments = async ({ db }: TimelineDeps, order: OrderState) => {
  const rows = await db.select().from(payments).where(eq(payments.orderId, order.orderId))
  return rows.map(({ id, minedAt, status, chain, txId, payer, currency, units }): TimelineEntry => {
    // The decimals of a token that the deployment does not accept are not known.
    const decimals = order.payments.find((each) => each.id === id)?.decimals
    return {
      type: 'payment',
      at: minedAt.toISOString(),
      status,
      chain,
      txId,
      payer,
      ...(decimals !== undefined && { amount: fromBaseUnits(BigInt(units), decimals), currency }),
    }
  })
}

const listRefunds = async ({ db }: TimelineDeps, order: OrderState) => {
  const rows = await db.select().from(refunds).where(eq(refunds.orderId, order.orderId))
  return rows.flatMap(({ id, createdAt }): TimelineEntry[] => {
    const state = order.refunds.find((each) => each.id === id)
    if (!state) return []
    const { refundId, status, chain, txId, amount, currency } = viewRefund(order, state)
    return [
      {
        type: 'refund',
        at: createdAt.toISOString(),
        status,
        chain,
        amount,
        currency,
        refundId,
        ...(txId && { txId }),
      },
    ]
  })
}

const listMails = async ({ db }: TimelineDeps, { orderId }: OrderState) => {
  const rows = await db.select().from(mails).where(eq(mails.orderId, orderId))
  return rows.map(
    ({ id, kind, recipient, createdAt, sentAt }): TimelineEntry => ({
      type: 'mail',
      at: (sentAt ?? createdAt).toISOString(),
      status: sentAt ? 'sent' : 'pending',
      mailId: id,
      kind,
      recipient,
    }),
  )
}

const listWebhooks = async ({ db }: TimelineDeps, { orderId, projectId }: OrderState) => {
  const rows = await db
    .select({ event: webhookEvents, delivery: webhookDeliveries })
    .from(webhookEvents)
    .innerJoin(webhookDeliveries, eq(webhookDeliveries.eventId, webhookEvents.id))
    .where(and(eq(webhookEvents.orderId, orderId), eq(webhookEvents.projectId, projectId)))
    .orderBy(asc(webhookEvents.createdAt))
  return rows.map(
    ({ event, delivery }): TimelineEntry => ({
      type: 'webhook',
      at: delivery.updatedAt.toISOString(),
      status: delivery.status,
      eventId: event.id,
      kind: event.type,
      endpointId: delivery.endpointId,
      attempts: delivery.attempts,
      ...(delivery.lastFailure !== null && { failure: delivery.lastFailure }),
    }),
  )
}

const listQuotes = ({ quote, earlierQuotes = [] }: OrderState): TimelineEntry[] =>
  [quote, ...earlierQuotes.map((earlier) => earlier.quote)].flatMap(({ quotedAtMs, status }) =>
    quotedAtMs === undefined ? [] : [{ type: 'quote' as const, at: iso(quotedAtMs), status }],
  )

const listShipments = ({ shipments = [] }: OrderState): TimelineEntry[] =>
  shipments.flatMap(({ id: shipmentId, shippedAtMs, cancelled }): TimelineEntry[] => [
    { type: 'shipment', at: iso(shippedAtMs), status: 'shipped', shipmentId },
    ...(cancelled
      ? [{ type: 'shipment', at: iso(cancelled.atMs), status: 'cancelled', shipmentId } as const]
      : []),
  ])

/**
 * Lists what happened to an order, oldest first: its quotes, payments as their chain shows them, refunds, shipments,
 * e-mails, and the webhooks about it.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`.
 */
export const getTimeline = async (
  deps: TimelineDeps,
  { actor }: Call,
  { orderId }: { orderId: string },
): Promise<OrderTimeline> => {
  requireServerScope(actor, 'orders.read')
  return deps.db.transaction(
    async (tx) => {
      const [row] = isUuid(orderId)
        ? await tx
            .select({ order: orders.document, createdAt: orders.createdAt })
            .from(orders)
            .where(and(eq(orders.id, orderId), eq(orders.projectId, actor.projectId)))
        : []
      if (!row) throw new ServiceError('not-found', 'Not found')
      const { order, createdAt } = row
      const within = { db: tx }
      const entries: TimelineEntry[] = [
        { type: 'created', at: createdAt.toISOString() },
        ...listQuotes(order),
        ...listShipments(order),
        ...(await listPayments(within, order)),
        ...(await listRefunds(within, order)),
        ...(await listMails(within, order)),
        ...(await listWebhooks(within, order)),
      ]
      return { data: entries.sort((a, b) => a.at.localeCompare(b.at)) }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}
