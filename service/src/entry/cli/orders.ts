import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { type CaptureDecision, parseInput, viewShipment } from 'kassa/engine'
import {
  CancelShipmentBody,
  CreateRefundBody,
  CreateShipmentBody,
  type Refund,
  type Shipment,
} from 'kassa/schema'
import { checkInput, ServiceError } from '#base/errors.js'
import { isUuid } from '#base/lib/uuid.js'
import { decideCapture } from '#sale/orders/captureOrder.js'
import { startRefund } from '#sale/orders/createRefund.js'
import { endShipment, startShipment } from '#sale/orders/createShipment.js'
import { findRefunds } from '#sale/orders/readRefunds.js'
import { readOrder } from '#sale/orders/store.js'
import { formatJson, formatTable } from './formatTable.js'
import type { Command, Group } from './group.js'
import { requireOne, requireOption } from './readArguments.js'
import { settingsOf } from './settingsOf.js'
import { withDatabase, withJobs } from './withDatabase.js'

const requireOrder = (positionals: readonly string[]): string => {
  const orderId = requireOne(positionals, 'the id of one order').toLowerCase()
  if (isUuid(orderId)) return orderId
  throw new ServiceError('input-invalid', `${orderId} is not an order id`)
}

const notFound = (orderId: string): ServiceError =>
  new ServiceError('not-found', `there is no order ${orderId}`)

const refund: Command = async (args, context) => {
  const options = { amount: { type: 'string' }, reason: { type: 'string' } } as const
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options })
  const orderId = requireOrder(positionals)
  const body = checkInput(() => parseInput(CreateRefundBody, values, 'body'))
  const config = settingsOf(context)
  const started = await withJobs(context, (deps) =>
    deps.db.transaction((tx) =>
      startRefund({ ...deps, config, randomBytes, now: Date.now }, tx, { orderId, body }),
    ),
  )
  if (!started) throw notFound(orderId)
  const { refundId, amount, currency, chain, recipient, note } = started
  context.out(`${refundId}\n`)
  context.err(`The service will send ${amount} ${currency} on ${chain} to ${recipient}. ${note}\n`)
  return 0
}

const toRow = ({ refundId, status, cause, amount, currency, chain, recipient, createdAt }: Refund) => [
  refundId,
  status,
  cause,
  amount,
  currency,
  chain,
  recipient ?? '',
  createdAt ?? '',
]

const refunds: Command = async (args, context) => {
  const options = { json: { type: 'boolean', default: false } } as const
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options })
  const orderId = requireOrder(positionals)
  const found = await withDatabase(context, (db) => findRefunds(db, { orderId }))
  if (!found) throw notFound(orderId)
  if (values.json) {
    context.out(formatJson(found))
    return 0
  }
  const columns = ['id', 'status', 'cause', 'amount', 'currency', 'chain', 'recipient', 'since']
  context.out(found.length ? formatTable([columns, ...found.map(toRow)]) : 'The order has no refunds.\n')
  return 0
}

const outcomes: Readonly<Record<CaptureDecision, string>> = {
  capture: 'is captured. The service delivers it.',
  void: 'is voided. The service sends its payment back to the payer.',
}

const decide =
  (decision: CaptureDecision): Command =>
  async (args, context) => {
    const orderId = requireOrder(parseArgs({ args, allowPositionals: true }).positionals)
    const config = settingsOf(context)
    const decided = await withJobs(context, (deps) =>
      deps.db.transaction((tx) =>
        decideCapture({ ...deps, config, randomBytes, now: Date.now }, tx, { orderId, decision }),
      ),
    )
    if (!decided) throw notFound(orderId)
    context.err(`The order ${orderId} ${outcomes[decision]}\n`)
    return 0
  }

const readItems = (text: string | undefined) =>
  text === undefined ? {} : { lineItems: text.split(',').map((index) => ({ index: Number(index) })) }

const ship: Command = async (args, context) => {
  const text = { type: 'string' } as const
  const options = { carrier: text, number: text, url: text, items: text }
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options })
  const orderId = requireOrder(positionals)
  const asked = {
    carrier: values.carrier,
    trackingNumber: values.number,
    trackingUrl: values.url,
    ...readItems(values.items),
  }
  const body = checkInput(() => parseInput(CreateShipmentBody, asked, 'body'))
  const config = settingsOf(context)
  const shipment = await withJobs(context, (deps) =>
    deps.db.transaction((tx) =>
      startShipment({ ...deps, config, randomBytes, now: Date.now }, tx, { orderId, body }),
    ),
  )
  if (!shipment) throw notFound(orderId)
  context.out(`${shipment.shipmentId}\n`)
  context.err('The service sends the buyer an e-mail if the order has an e-mail address.\n')
  return 0
}

const unship: Command = async (args, context) => {
  const options = { shipment: { type: 'string' }, reason: { type: 'string' } } as const
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options })
  const orderId = requireOrder(positionals)
  const shipmentId = requireOption('shipment', values.shipment).toLowerCase()
  const { reason } = checkInput(() => parseInput(CancelShipmentBody, { reason: values.reason }, 'body'))
  const config = settingsOf(context)
  const wanted = { orderId, shipmentId, reason }
  const ended = await withJobs(context, (deps) =>
    deps.db.transaction((tx) => endShipment({ ...deps, config, randomBytes, now: Date.now }, tx, wanted)),
  )
  if (!ended) throw new ServiceError('not-found', `the order ${orderId} has no shipment ${shipmentId}`)
  context.err(`The shipment ${shipmentId} is cancelled. Its line items can be shipped again.\n`)
  return 0
}

const toShipmentRow = ({ shipmentId, status, carrier, trackingNumber, lineItems, shippedAt }: Shipment) => [
  shipmentId,
  status,
  carrier,
  trackingNumber ?? '',
  lineItems.map(({ index }) => index).join(','),
  shippedAt,
]

const shipments: Command = async (args, context) => {
  const options = { json: { type: 'boolean', default: false } } as const
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options })
  const orderId = requireOrder(positionals)
  const order = (await withDatabase(context, (db) => readOrder(db, orderId)))?.order
  if (!order) throw notFound(orderId)
  const found = (order.shipments ?? []).map((shipment) => viewShipment(order, shipment, 'merchant'))
  const columns = ['id', 'status', 'carrier', 'tracking number', 'line items', 'since']
  const table = () => formatTable([columns, ...found.map(toShipmentRow)])
  if (values.json) context.out(formatJson(found))
  else context.out(found.length ? table() : 'The order has no shipments.\n')
  return 0
}

/** `kassa-service orders …`. */
export const orders: Group = {
  help: `
  kassa-service orders capture <id>
      Capture the payment of an order that awaits capture. The service delivers the order.
  kassa-service orders void <id>
      Void the payment of an order that is not captured. The service sends it back to its payer.
  kassa-service orders refund <id> [--amount <amount>] [--reason <text>]
      Refund a paid order to its payer: all that is left of the price of delivered line items, or an amount in the
      currency that was paid. Print the id of the refund. Delivered tokens stay with their holder.
  kassa-service orders refunds <id> [--json]
      List the refunds of an order: the merchant's, and those that the service owes by its own rules.
  kassa-service orders ship <id> --carrier <name> [--number <tracking number>] [--url <https URL>] [--items <n,…>]
      Mark line items of a paid order with a shipping address as shipped: all that are not, or those at the positions,
      from 0 on. Print the id of the shipment.
  kassa-service orders unship <id> --shipment <shipment id> [--reason <text>]
      Take back a shipment that was reported by mistake, and notify the buyer.
  kassa-service orders shipments <id> [--json]
      List the shipments of an order, oldest first.
`,
  commands: {
    capture: decide('capture'),
    void: decide('void'),
    refund,
    refunds,
    ship,
    unship,
    shipments,
  },
}
