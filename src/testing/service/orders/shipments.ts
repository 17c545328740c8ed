import { makeKey } from '../../../api/makeKey.js'
import { explainCancel, planShipment } from '../../../engine/order/planShipment.js'
import { viewShipment } from '../../../engine/order/viewShipment.js'
import { parseInput } from '../../../engine/parseInput.js'
import { CancelShipmentBody, CreateShipmentBody, type Shipment } from '../../../schema/shipment.js'
import { type Answer, HttpError, notFound } from '../http.js'
import { applyEvent } from '../progress.js'
import type { TestOrder, TestWorld } from '../testWorld.js'
import { toUuid } from '../toUuid.js'

const viewTestShipment = ({ order }: TestOrder, shipmentId: string): Shipment => {
  const found = order.shipments?.find(({ id }) => id === shipmentId)
  if (!found) throw notFound()
  return viewShipment(order, found, 'merchant')
}

/** Marks line items as shipped. */
export const createShipment = (world: TestWorld, record: TestOrder, input: unknown): Answer => {
  const asked = parseInput(CreateShipmentBody, input, 'body')
  const plan = planShipment(record.order, asked)
  if ('refusal' in plan) throw new HttpError(409, plan.refusal)
  const { carrier, trackingNumber, trackingUrl } = asked
  const id = toUuid(makeKey())
  const shipment = {
    id,
    carrier,
    lineItems: plan,
    ...(trackingNumber !== undefined && { trackingNumber }),
    ...(trackingUrl !== undefined && { trackingUrl }),
  }
  applyEvent(world, record, { event: { type: 'shipment-created', shipment }, atMs: world.now() })
  return { status: 201, body: viewTestShipment(record, id) }
}

/** Takes back that line items were shipped. */
export const cancelShipment = (
  world: TestWorld,
  record: TestOrder,
  { shipmentId, input }: { shipmentId: string; input: unknown },
): Answer => {
  const { reason } = parseInput(CancelShipmentBody, input, 'body')
  if (explainCancel(record.order, shipmentId) === 'not-found') throw notFound()
  const event = { type: 'shipment-cancelled', shipmentId, ...(reason !== undefined && { reason }) } as const
  applyEvent(world, record, { event, atMs: world.now() })
  return { status: 200, body: viewTestShipment(record, shipmentId) }
}
