import { explainCancel, type OrderState, planShipment, type ShipmentState, viewShipment } from 'kassa/engine'
import type { CancelShipmentBody, CreateShipmentBody, Shipment } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Transaction } from '#base/db/database.js'
import type { Deps } from '#base/deps.js'
import { checkInput, ServiceError } from '#base/errors.js'
import { createUuid } from '#base/lib/uuid.js'
import { requireServerScope } from '#identity/authorize.js'
import type { EmitDeps } from './emitOrderEvents.js'
import { lockOrder, readOrder } from './store.js'
import { applyEvents } from './updateOrder.js'

const notFound = (): ServiceError => new ServiceError('not-found', 'Not found')

const viewFound = (order: OrderState, isIt: (shipment: ShipmentState) => boolean): Shipment => {
  const found = order.shipments?.find(isIt)
  if (!found) throw new ServiceError('conflict', 'The order was changed at the same moment: try again')
  return viewShipment(order, found, 'merchant')
}

/**
 * Marks line items of an order as shipped, in a transaction that locks the order, so that of two at once the second
 * sees the first.
 *
 * @returns The shipment, or `undefined` if there is no such order.
 * @throws {@link ServiceError} `input-invalid` naming the field; `conflict`, saying why they cannot be shipped.
 */
export const startShipment = async (
  deps: EmitDeps & Pick<Deps, 'randomBytes'>,
  tx: Transaction,
  { orderId, body }: { orderId: string; body: CreateShipmentBody },
): Promise<Shipment | undefined> => {
  const stored = await lockOrder(tx, orderId)
  if (!stored) return undefined
  const plan = checkInput(() => planShipment(stored.order, body))
  if ('refusal' in plan) throw new ServiceError('conflict', plan.refusal)
  const { carrier, trackingNumber, trackingUrl } = body
  const id = createUuid(deps.randomBytes)
  const shipment = {
    id,
    carrier,
    lineItems: plan,
    ...(trackingNumber !== undefined && { trackingNumber }),
    ...(trackingUrl !== undefined && { trackingUrl }),
  }
  const order = await applyEvents(deps, tx, stored, [{ type: 'shipment-created', shipment }])
  return viewFound(order, (each) => each.id === id)
}

/**
 * Takes back a shipment that was reported by mistake. It stays in the order as cancelled.
 *
 * @returns The shipment, or `undefined` if there is no such order or shipment.
 */
export const endShipment = async (
  deps: EmitDeps,
  tx: Transaction,
  { orderId, shipmentId, reason }: { orderId: string; shipmentId: string; reason?: string | undefined },
): Promise<Shipment | undefined> => {
  const stored = await lockOrder(tx, orderId)
  const found = stored ? explainCancel(stored.order, shipmentId) : 'not-found'
  if (!stored || found === 'not-found') return undefined
  const event = { type: 'shipment-cancelled', shipmentId, ...(reason !== undefined && { reason }) } as const
  const order = found === 'done' ? stored.order : await applyEvents(deps, tx, stored, [event])
  return viewFound(order, ({ id }) => id === shipmentId)
}

/**
 * Marks line items of a paid order as shipped to its address. The buyer gets an e-mail.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`, `input-invalid`; `conflict`, saying why they cannot be shipped.
 */
export const createShipment = async (
  deps: Deps,
  call: Call,
  { orderId, body }: { orderId: string; body: CreateShipmentBody },
): Promise<Shipment> => {
  requireServerScope(call.actor, 'orders.ship')
  const read = await readOrder(deps.db, orderId, call.actor.projectId)
  if (!read) throw notFound()
  return deps.db.transaction(async (tx) => {
    const shipment = await startShipment(deps, tx, { orderId: read.order.orderId, body })
    if (!shipment) throw notFound()
    await call.complete(tx, { status: 201, body: shipment })
    return shipment
  })
}

/**
 * Takes back a shipment that was reported by mistake, and tells the buyer. Its line items can be shipped again.
 * Cancelling it again changes nothing.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`, `input-invalid`.
 */
export const cancelShipment = async (
  deps: Deps,
  call: Call,
  { orderId, shipmentId, body }: { orderId: string; shipmentId: string; body: CancelShipmentBody },
): Promise<Shipment> => {
  requireServerScope(call.actor, 'orders.ship')
  const read = await readOrder(deps.db, orderId, call.actor.projectId)
  if (!read) throw notFound()
  return deps.db.transaction(async (tx) => {
    const wanted = { orderId: read.order.orderId, shipmentId: shipmentId.toLowerCase(), reason: body.reason }
    const shipment = await endShipment(deps, tx, wanted)
    if (!shipment) throw notFound()
    await call.complete(tx, { status: 200, body: shipment })
    return shipment
  })
}
