import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import {
  Collection,
  CreatedApiKey,
  CreateOrderAnswer,
  Nft,
  PaymentLink,
  Refund,
  Shipment,
  Template,
  WebhookDelivery,
  WebhookEndpointSecret,
} from 'kassa/schema'
import * as z from 'zod/mini'
import { collections, mails, nfts, orders } from '#base/db/tables/index.js'
import { addNotice } from './addNotice.js'
import type { createFakeChain } from './createFakeChain.js'
import { orderBody, type Shop, testPayer } from './createShop.js'
import { fillWallets } from './fillWallets.js'
import { mintedToken } from './mintedToken.js'
import { sellOrder } from './sellOrder.js'

const image = 'ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'

/** The contents of a project, by the parameters that name them. */
export type Belongings = {
  name: string
  collectionId: string
  templateId: string
  nftId: string
  actionId: string
  orderId: string
  /** An e-mail about the order. */
  mailId: string
  /** A webhook event about the order. */
  noticeId: string
  /** A refund of another order, which is sold. */
  refundId: string
  soldOrderId: string
  /** Paid orders that wait for the merchant: one to capture, one to void. */
  capturableId: string
  voidableId: string
  /** An order that a signature can pay. */
  signableId: string
  /** A paid order with a shipping address, and a shipment of its only line item. */
  shippedOrderId: string
  shipmentId: string
  /** Another one, of which nothing is shipped. */
  shippableId: string
  clientSecret: string
  /** Address of a smart wallet of `userId:<name>`, whose owner signs. */
  wallet: string
  /** Address of a smart wallet of `email:<name>@example.com`, which holds the token. */
  custodial: string
  /** Address of an account of `x:<name>`. */
  account: string
  paymentLinkId: string
  keyId: string
  endpointId: string
  /** An event that waits to be sent to the endpoint. */
  eventId: string
  /** Awaits its approval, in `wallet`. */
  transactionId: string
  contract: string
  tokenId: string
}

/** Gives a project one of everything. No job runs meanwhile: their results are inserted. */
export const fillProject = async (parts: {
  shop: Shop
  chain: ReturnType<typeof createFakeChain>
  key: string
  name: string
  tokenId: string
}) => {
  const { shop, chain, key, name, tokenId } = parts
  const { db } = shop.deps
  const ask = async <Schema extends z.ZodMiniType>(
    schema: Schema,
    method: string,
    path: string,
    body: unknown,
  ): Promise<z.output<Schema>> => {
    const response = await shop.send(method, `/api/2022-06-09${path}`, { key, body })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return z.parse(schema, await response.json())
  }
  const collectionId = `${name}-prints`
  const metadata = { name: `Prints of ${name}`, description: `By ${name}`, imageUrl: image, symbol: 'P' }
  const payments = { price: '0.01', currency: 'eth' }
  const terms = { chain: 'base-sepolia', metadata, payments, fungibility: 'non-fungible' }
  const collection = await ask(Collection, 'PUT', `/collections/${collectionId}`, terms)
  await db.update(collections).set({ contractTxId: `0x${'2'.repeat(64)}` })
  const { templateId } = await ask(Template, 'POST', `/collections/${collectionId}/templates`, {
    metadata: { name: `Template of ${name}`, image },
  })
  const recipient = `email:${name}@example.com:base-sepolia`
  const minted = await ask(Nft, 'POST', `/collections/${collectionId}/nfts`, { recipient, templateId })
  await db
    .update(nfts)
    .set({ status: 'success', tokenId: BigInt(tokenId), owner: testPayer, txId: `0x${'1'.repeat(64)}` })
    .where(eq(nfts.collectionId, collectionId))
  const lineItems = { collectionLocator: `kassa:${collectionId}` }
  const { clientSecret, order } = await ask(CreateOrderAnswer, 'POST', '/orders', { ...orderBody, lineItems })
  const sold = await ask(CreateOrderAnswer, 'POST', '/orders', { ...orderBody, lineItems })
  const soldOrderId = sold.order.orderId
  await sellOrder(shop.deps, soldOrderId)
  const { refundId } = await ask(Refund, 'POST', `/orders/${soldOrderId}/refunds`, { amount: '0.001' })
  const mailId = randomUUID()
  const [{ projectId } = { projectId: '' }] = await db
    .select({ projectId: orders.projectId })
    .from(orders)
    .where(eq(orders.id, order.orderId))
  await db.insert(mails).values({
    id: mailId,
    projectId,
    orderId: order.orderId,
    recipient: `${name}@example.com`,
    locale: 'en-US',
    kind: 'nft-minted',
    data: mintedToken,
    createdAt: new Date(),
  })
  const { eventId: noticeId } = await addNotice({ deps: shop.deps, projectId }, order.orderId)
  const contract = collection.onChain.contractAddress ?? ''
  const hold = async () => {
    const payment = { ...orderBody.payment, capture: 'manual' }
    const held = await ask(CreateOrderAnswer, 'POST', '/orders', { ...orderBody, payment, lineItems })
    await sellOrder(shop.deps, held.order.orderId)
    return held.order.orderId
  }
  const physicalAddress = { name, line1: 'Sand 1', city: 'Dunes', postalCode: '12345', country: 'DE' }
  const sellGoods = async () => {
    const recipient = { walletAddress: testPayer, physicalAddress }
    const made = await ask(CreateOrderAnswer, 'POST', '/orders', { ...orderBody, recipient, lineItems })
    await sellOrder(shop.deps, made.order.orderId)
    return made.order.orderId
  }
  const [shippedOrderId, shippableId] = [await sellGoods(), await sellGoods()]
  const { shipmentId } = await ask(Shipment, 'POST', `/orders/${shippedOrderId}/shipments`, {
    carrier: 'DHL',
  })
  const [capturableId, voidableId] = [await hold(), await hold()]
  const inTokens = { ...orderBody, lineItems, payment: { ...orderBody.payment, currency: 'usdc' } }
  const signable = await ask(CreateOrderAnswer, 'POST', '/orders', inTokens)
  const signableId = signable.order.orderId
  const { paymentLinkId } = await ask(PaymentLink, 'POST', '/payment-links', { lineItems })
  const { keyId } = await ask(CreatedApiKey, 'POST', '/api-keys', {
    name: `Key of ${name}`,
    kind: 'client',
    origins: [`https://${name}.example`],
  })
  const { endpointId } = await ask(WebhookEndpointSecret, 'POST', '/webhook-endpoints', {
    url: `https://${name}.example/hook`,
    eventTypes: ['nfts.delete.failed'],
  })
  const { eventId } = await ask(WebhookDelivery, 'POST', `/webhook-endpoints/${endpointId}/test`, {})
  const filled = await fillWallets({ shop, chain, key, name, contract, tokenId, awaitingCount: 2 })
  const [transaction] = filled.awaiting
  if (!transaction) throw new Error('no transaction awaits its approval')
  const belongings: Belongings = {
    name,
    collectionId,
    templateId,
    nftId: minted.id,
    actionId: minted.actionId ?? '',
    orderId: order.orderId,
    clientSecret,
    contract,
    tokenId,
    transactionId: transaction.id,
    mailId,
    noticeId,
    refundId,
    soldOrderId,
    capturableId,
    voidableId,
    signableId,
    paymentLinkId,
    keyId,
    endpointId,
    eventId,
    shippedOrderId,
    shipmentId,
    shippableId,
    wallet: filled.owned.address,
    custodial: filled.custodial.address,
    account: filled.mpc.address,
  }
  return { belongings, approve: transaction.approve }
}
