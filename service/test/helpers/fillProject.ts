import { eq } from 'drizzle-orm'
import { Collection, CreateOrderAnswer, Nft, Template } from 'kassa/schema'
import * as z from 'zod/mini'
import { collections, nfts } from '../../src/db/tables/index.js'
import type { createFakeChain } from './createFakeChain.js'
import { orderBody, type Shop, testPayer } from './createShop.js'
import { fillWallets } from './fillWallets.js'

const image = 'ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'

/** The contents of a project, by the parameters that name them. */
export type Belongings = {
  name: string
  collectionId: string
  templateId: string
  nftId: string
  actionId: string
  orderId: string
  clientSecret: string
  /** Address of a smart wallet of `userId:<name>`, whose owner signs. */
  wallet: string
  /** Address of a smart wallet of `email:<name>@example.com`, which holds the token. */
  custodial: string
  /** Address of an account of `x:<name>`. */
  account: string
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
  const contract = collection.onChain.contractAddress ?? ''
  const filled = await fillWallets({ shop, chain, key, name, contract, tokenId, awaitingCount: 2 })
  const [transaction] = filled.awaiting
  if (!transaction) throw new Error('no transaction awaits its approval')
  const belongings: Belongings = {
    ...{ name, collectionId, templateId, nftId: minted.id, actionId: minted.actionId ?? '' },
    ...{ orderId: order.orderId, clientSecret, contract, tokenId, transactionId: transaction.id },
    wallet: filled.owned.address,
    custodial: filled.custodial.address,
    account: filled.mpc.address,
  }
  return { belongings, approve: transaction.approve }
}
