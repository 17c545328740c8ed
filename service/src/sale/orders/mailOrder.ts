import { and, eq, gt, sql } from 'drizzle-orm'
import {
  isClaimed,
  type LineItemState,
  type OrderState,
  type RefundState,
  type ShipmentState,
} from 'kassa/engine'
import { fromBaseUnits } from 'kassa/schema'
import { advances } from '#base/config/advances.js'
import type { Config } from '#base/config/config.js'
import { explorerOf } from '#base/config/explorerOf.js'
import type { Transaction } from '#base/db/database.js'
import { mails } from '#base/db/tables/index.js'
import type { NftMinted } from '#base/db/tables/mailData.js'
import type { Deps } from '#base/deps.js'
import { findCollection } from '#goods/collections/findCollection.js'
import { findPicture } from '#goods/nfts/mailArrival.js'
import { enqueueMail } from '#notify/mails/sendMail.js'

/** What sending e-mail about an order needs. */
export type OrderMailDeps = Pick<Deps, 'jobs' | 'now' | 'randomBytes'> & {
  config: Pick<Config, 'chains' | 'publicUrl'>
}

/** Returns a transaction's page in the chain's explorer. */
const findPage = ({ config }: OrderMailDeps, chain: string, txId: string): string | undefined => {
  const isLocal = config.chains[chain]?.rpcUrl === undefined
  const explorer = explorerOf(config, { chain, isLocal })
  return explorer === undefined ? undefined : `${explorer}/tx/${txId}`
}

const nameItem = ({ metadata, quantity }: LineItemState): string =>
  quantity > 1 ? `${metadata.name} × ${quantity}` : metadata.name

/** Formats an amount. Dollars have two decimals at least, as prices are written. */
const formatAmount = (amount: string, currency: string): string => {
  const [whole, fraction = ''] = amount.split('.')
  const digits = /^usd/i.test(currency) ? `${whole}.${fraction.padEnd(2, '0')}` : amount
  return `${digits} ${currency.toUpperCase()}`
}

const mailReceipt = async (
  deps: OrderMailDeps,
  tx: Transaction,
  order: OrderState,
  recipient: string,
): Promise<void> => {
  const { projectId, locale, payment, lineItems, orderId } = order
  const { decimals, currency, chain } = payment
  const write = (units: bigint): string => formatAmount(fromBaseUnits(units, decimals), currency)
  const sold = lineItems.flatMap((item) =>
    item.quote.charges ? [{ item, charges: item.quote.charges }] : [],
  )
  const sum = (name: 'salesTaxUnits' | 'shippingUnits'): string => {
    const units = sold.reduce((total, { charges }) => total + BigInt(charges[name]), 0n)
    return units > 0n ? write(units) : ''
  }
  const txId = order.payments.findLast(({ use }) => use === 'accepted')?.txId ?? ''
  const explorerUrl = findPage(deps, chain, txId)
  await enqueueMail(deps, tx, {
    projectId,
    recipient,
    locale,
    orderId,
    kind: 'order-confirmed',
    data: {
      lines: sold.map(({ item, charges }) => ({
        name: nameItem(item),
        amount: write(BigInt(charges.unitUnits) - BigInt(charges.discountUnits ?? 0)),
      })),
      tax: sum('salesTaxUnits'),
      shipping: sum('shippingUnits'),
      total: write(BigInt(order.quote.totalUnits ?? 0)),
      chain,
      txId,
      ...(explorerUrl !== undefined && { explorerUrl }),
      orderId,
    },
  })
}

const describeItem = async (
  deps: OrderMailDeps,
  tx: Transaction,
  projectId: string,
  item: LineItemState,
): Promise<NftMinted> => {
  const { collectionId, delivery, metadata, chain } = item
  const tokens = delivery.tokens ?? []
  const tokenIds = [...new Set(delivery.tokenIds ?? tokens.flatMap(({ tokenId }) => tokenId ?? []))]
  const explorerUrl = delivery.txId && findPage(deps, chain, delivery.txId)
  return {
    // The mail says the number beside it, in its language.
    tokenName: nameItem(item),
    collectionName: (await findCollection(tx, projectId, collectionId))?.name ?? metadata.name,
    imageUrl: await findPicture(deps.config.publicUrl, tx, metadata.imageUrl),
    chain,
    contractAddress: tokens[0]?.contractAddress ?? tokens[0]?.mintHash ?? '',
    tokenId: tokenIds.join(', '),
    ...(explorerUrl && { explorerUrl }),
  }
}

const shorten = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`

/**
 * Returns who gave the goods, if the payer is not the recipient: the gift's name, otherwise the payer's
 * address.
 */
const findGift = ({ gift, recipient, payment, payments }: OrderState) => {
  const { receiptEmail } = payment
  const isForOther =
    receiptEmail !== undefined && receiptEmail.toLowerCase() !== recipient?.email?.toLowerCase()
  if (!gift && !isForOther) return undefined
  const payer = payments.findLast(({ use }) => use === 'accepted')?.payer ?? ''
  return {
    giverName: gift?.giverName ?? shorten(payer),
    ...(gift?.note !== undefined && { note: gift.note }),
  }
}

/** Whether a recipient got as many e-mails this hour about tokens that cost nothing as strangers may cause from a shop. */
const hasManyClaims = async (
  { now }: OrderMailDeps,
  tx: Transaction,
  { projectId, recipient }: { projectId: string; recipient: string },
): Promise<boolean> => {
  const { caps, windowMs } = advances.claimMails
  const isOfHour = gt(mails.createdAt, new Date(now() - windowMs))
  const toThem = and(eq(mails.projectId, projectId), eq(mails.recipient, recipient))
  const isDelivered = eq(mails.kind, 'order-delivered')
  return (await tx.$count(mails, and(toThem, isOfHour, isDelivered))) >= caps().recipient
}

const dayMs = 24 * 60 * 60_000
/** How many mails of a shop bring one recipient a note in 24 hours. Further ones come without. */
const maxNotes = 10

/** Whether a recipient got as many notes today as strangers may send from a shop. */
const hasManyNotes = async (
  { now }: OrderMailDeps,
  tx: Transaction,
  { projectId, recipient }: { projectId: string; recipient: string },
): Promise<boolean> => {
  const isOfToday = gt(mails.createdAt, new Date(now() - dayMs))
  const hasNote = sql`${mails.data} -> 'gift' ->> 'note' is not null`
  const toThem = and(eq(mails.projectId, projectId), eq(mails.recipient, recipient))
  return (await tx.$count(mails, and(toThem, isOfToday, hasNote))) >= maxNotes
}

const withoutNote = <Given extends { note?: string }>({ note: _, ...gift }: Given): Omit<Given, 'note'> =>
  gift

const mailDelivery = async (
  deps: OrderMailDeps,
  tx: Transaction,
  order: OrderState,
  recipient: string,
): Promise<void> => {
  const { projectId, locale, orderId } = order
  const isOfStranger = order.isPublic && isClaimed(order)
  if (isOfStranger && (await hasManyClaims(deps, tx, { projectId, recipient }))) return
  const items: NftMinted[] = []
  for (const item of order.lineItems) {
    if (item.delivery.status === 'completed') items.push(await describeItem(deps, tx, projectId, item))
  }
  if (!items.length) return
  // What a stranger wrote for nothing is not mailed in the name of the shop.
  const given = isOfStranger ? undefined : findGift(order)
  const isFull = given?.note !== undefined && (await hasManyNotes(deps, tx, { projectId, recipient }))
  const gift = given && isFull ? withoutNote(given) : given
  const data = { items, ...(gift && { gift }) }
  await enqueueMail(deps, tx, { projectId, recipient, locale, orderId, kind: 'order-delivered', data })
}

/** Whether a payment was not captured and goes back. */
const isVoid = ({ reason }: RefundState): boolean => reason === 'voided' || reason === 'capture-expired'

/** Returns the refunds by the merchant, or of payments that were not captured, that a step has sent. */
const findSent = (before: OrderState, after: OrderState): RefundState[] => {
  const sent = new Set(before.refunds.filter(({ status }) => status === 'sent').map(({ id }) => id))
  return after.refunds.filter(
    (refund) => (refund.request || isVoid(refund)) && refund.status === 'sent' && !sent.has(refund.id),
  )
}

const mailRefund = async (
  deps: OrderMailDeps,
  tx: Transaction,
  order: OrderState,
  refund: RefundState,
): Promise<void> => {
  const { paymentId, units, request, txId = '' } = refund
  const { projectId, locale, orderId, gift, recipient, payment } = order
  // The recipient of a gift is told nothing of its price.
  const buyer = payment.receiptEmail ?? (gift ? undefined : recipient?.email)
  const paid = order.payments.find(({ id }) => id === paymentId)
  if (buyer === undefined || !paid) return
  const { chain, currency, decimals } = paid
  const explorerUrl = findPage(deps, chain, txId)
  const data = {
    refunded: formatAmount(fromBaseUnits(BigInt(units), decimals), currency),
    ...(request?.reason !== undefined && { reason: request.reason }),
    ...(isVoid(refund) && { isVoided: true as const }),
    chain,
    txId,
    orderId,
    ...(explorerUrl !== undefined && { explorerUrl }),
  }
  await enqueueMail(deps, tx, { projectId, recipient: buyer, locale, orderId, kind: 'order-refunded', data })
}

/** Returns the shipments that a step has created or cancelled. */
const findShipped = (before: OrderState, { shipments = [] }: OrderState): ShipmentState[] => {
  if (shipments === before.shipments) return []
  const known = new Map(before.shipments?.map((shipment) => [shipment.id, shipment]))
  return shipments.filter((shipment) => known.get(shipment.id) !== shipment)
}

const mailShipment = async (
  deps: OrderMailDeps,
  tx: Transaction,
  order: OrderState,
  { carrier, trackingNumber = '', trackingUrl, lineItems, cancelled }: ShipmentState,
): Promise<void> => {
  const { projectId, locale, orderId, recipient: to, payment } = order
  const recipient = to?.email ?? payment.receiptEmail
  if (recipient === undefined) return
  const items = lineItems.flatMap((index) => order.lineItems[index] ?? [])
  await enqueueMail(deps, tx, {
    projectId,
    recipient,
    locale,
    orderId,
    kind: cancelled ? 'shipment-cancelled' : 'order-shipped',
    data: {
      shipped: items.map(nameItem),
      carrier,
      trackingNumber,
      orderId,
      ...(trackingUrl !== undefined && { trackingUrl }),
      ...(cancelled && { isCancelled: true as const }),
    },
  })
}

/** Whether an order's payment is the merchant's. */
const isCaptured = ({ payment, capture }: OrderState): boolean =>
  payment.status === 'completed' && (!capture || capture.status === 'captured')

/**
 * Enqueues the e-mails of a step of an order, in the transaction that writes it: the receipt once its payment is
 * captured, one e-mail about all delivered items once it is completed, one about each refund by the merchant, or of a
 * payment that was not captured, once it is sent, and one about each shipment, and about its cancellation. Each goes to an
 * address that the order contains.
 */
export const mailOrder = async (
  deps: OrderMailDeps,
  tx: Transaction,
  { before, after }: { before: OrderState; after: OrderState },
): Promise<void> => {
  const { receiptEmail } = after.payment
  // There is no receipt for what cost nothing.
  if (isCaptured(after) && !isClaimed(after) && !isCaptured(before) && receiptEmail !== undefined)
    await mailReceipt(deps, tx, after, receiptEmail)
  const email = after.recipient?.email
  const isCompleted = after.phase === 'completed' && before.phase !== 'completed'
  if (isCompleted && email !== undefined) await mailDelivery(deps, tx, after, email)
  for (const refund of findSent(before, after)) await mailRefund(deps, tx, after, refund)
  for (const shipment of findShipped(before, after)) await mailShipment(deps, tx, after, shipment)
}
