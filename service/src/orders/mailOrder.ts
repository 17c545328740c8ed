import type { LineItemState, OrderState } from 'kassa/engine'
import { fromBaseUnits } from 'kassa/schema'
import { findCollection } from '../collections/findCollection.js'
import type { Config } from '../config/config.js'
import { explorerOf } from '../config/explorerOf.js'
import type { Transaction } from '../db/database.js'
import type { NftMinted } from '../db/tables/mailData.js'
import type { Deps } from '../deps.js'
import { enqueueMail } from '../mails/sendMail.js'
import { findPicture } from '../nfts/mailArrival.js'

/** What sending e-mail about an order needs. */
export type OrderMailDeps = Pick<Deps, 'jobs' | 'now' | 'randomBytes'> & {
  config: Pick<Config, 'chains' | 'publicUrl'>
}

/** Returns a transaction's explorer page. A local chain has none. */
const findPage = ({ config }: OrderMailDeps, chain: string, txId: string): string | undefined => {
  const explorer = config.chains[chain]?.rpcUrl === undefined ? undefined : explorerOf(config, chain)
  return explorer === undefined ? undefined : `${explorer}/tx/${txId}`
}

const nameItem = ({ metadata, quantity }: LineItemState): string =>
  quantity > 1 ? `${metadata.name} × ${quantity}` : metadata.name

const mailReceipt = async (
  deps: OrderMailDeps,
  tx: Transaction,
  order: OrderState,
  recipient: string,
): Promise<void> => {
  const { projectId, locale, payment, lineItems, orderId } = order
  const { decimals, currency, chain } = payment
  const write = (units: bigint): string => `${fromBaseUnits(units, decimals)} ${currency.toUpperCase()}`
  const sold = lineItems.flatMap((item) =>
    item.quote.charges ? [{ item, charges: item.quote.charges }] : [],
  )
  const sum = (name: 'salesTaxUnits' | 'shippingUnits'): string => {
    const units = sold.reduce((total, { charges }) => total + BigInt(charges[name]), 0n)
    return units > 0n ? write(units) : ''
  }
  const txId = order.payments.find(({ use }) => use === 'accepted')?.txId ?? ''
  const explorerUrl = findPage(deps, chain, txId)
  await enqueueMail(deps, tx, {
    projectId,
    recipient,
    locale,
    kind: 'order-confirmed',
    data: {
      lines: sold.map(({ item, charges }) => ({
        name: nameItem(item),
        amount: write(BigInt(charges.unitUnits)),
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
  const { collectionId, delivery, metadata, quantity, chain } = item
  const tokens = delivery.tokens ?? []
  const tokenIds = [...new Set(tokens.flatMap(({ tokenId }) => tokenId ?? []))]
  const explorerUrl = delivery.txId && findPage(deps, chain, delivery.txId)
  const [tokenId] = tokenIds
  // The tokens of a template share its name; others are distinguished by their number.
  const isNumbered = item.templateId === undefined && quantity === 1
  return {
    tokenName: isNumbered ? `${metadata.name} #${tokenId}` : nameItem(item),
    collectionName: (await findCollection(tx, projectId, collectionId))?.name ?? metadata.name,
    imageUrl: await findPicture(deps.config.publicUrl, tx, metadata.imageUrl),
    chain,
    contractAddress: tokens[0]?.contractAddress ?? '',
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
  const payer = payments.find(({ use }) => use === 'accepted')?.payer ?? ''
  return {
    giverName: gift?.giverName ?? shorten(payer),
    ...(gift?.note !== undefined && { note: gift.note }),
  }
}

const mailDelivery = async (
  deps: OrderMailDeps,
  tx: Transaction,
  order: OrderState,
  recipient: string,
): Promise<void> => {
  const { projectId, locale } = order
  const items: NftMinted[] = []
  for (const item of order.lineItems) {
    if (item.delivery.status === 'completed') items.push(await describeItem(deps, tx, projectId, item))
  }
  const gift = findGift(order)
  if (!items.length) return
  const data = { items, ...(gift && { gift }) }
  await enqueueMail(deps, tx, { projectId, recipient, locale, kind: 'order-delivered', data })
}

/**
 * Enqueues the e-mails of a step of an order, in the transaction that writes it: the receipt once it is paid,
 * and one e-mail about all delivered items once it is completed. Each goes to an address that the order
 * contains.
 */
export const mailOrder = async (
  deps: OrderMailDeps,
  tx: Transaction,
  { before, after }: { before: OrderState; after: OrderState },
): Promise<void> => {
  const { receiptEmail, status } = after.payment
  const isPaid = status === 'completed' && before.payment.status !== 'completed'
  if (isPaid && receiptEmail !== undefined) await mailReceipt(deps, tx, after, receiptEmail)
  const email = after.recipient?.email
  const isCompleted = after.phase === 'completed' && before.phase !== 'completed'
  if (isCompleted && email !== undefined) await mailDelivery(deps, tx, after, email)
}
