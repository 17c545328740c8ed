import { attemptKey, type TokenMint } from '../chains/port.js'
import { releaseTokens } from '../collections/allocateTokens.js'
import { toCollectionRef } from '../collections/collectionRef.js'
import { ensureContractUri } from '../collections/ensureContractUri.js'
import { putContract } from '../collections/putContract.js'
import type { Deps } from '../deps.js'
import { storeJson } from '../files/storeJson.js'
import type { JobHandler } from '../jobs/port.js'
import { type DeliveredTokens, recordDelivered } from '../nfts/recordDelivered.js'
import { toSeconds } from '../nfts/wholeSeconds.js'
import { emailLocator, getOrCreateCustodialWallet } from '../wallets/custodialWallet.js'
import { type Delivery, findDelivery } from './findDelivery.js'
import { type ReservedTokens, reserveTokens } from './reserveTokens.js'
import { lockOrder } from './store.js'
import { tokenMetadata } from './tokenMetadata.js'
import { applyEvents } from './updateOrder.js'

type Token = DeliveredTokens['tokens'][number]

const findWallet = async (deps: Deps, { order, item }: Delivery): Promise<string> => {
  if (item.delivery.walletAddress !== undefined) return item.delivery.walletAddress
  if (order.recipient?.email === undefined) throw new Error('the order has no recipient')
  const userLocator = emailLocator(order.recipient.email)
  const owner = { projectId: order.projectId, userLocator, family: 'evm' as const }
  return (await getOrCreateCustodialWallet(deps, owner)).address
}

const describeTokens = async (
  deps: Deps,
  delivery: Delivery,
  tokenIds: readonly string[],
): Promise<Token[]> => {
  const tokens: Token[] = []
  for (const tokenId of tokenIds) {
    const metadata = tokenMetadata(delivery, tokenId)
    tokens.push({ tokenId, metadata, uri: await storeJson(deps, metadata) })
  }
  return tokens
}

const mint = (
  { order, lineItemIndex, collection, template, chain, attempt }: Delivery,
  recipient: string,
  tokens: readonly Token[],
  expiresAtMs: number | undefined,
) => {
  const key = `mint:${order.orderId}:${lineItemIndex}`
  const mints = tokens.map(
    ({ tokenId, uri }, index): TokenMint => ({
      recipient,
      tokenId: BigInt(tokenId),
      uri,
      mintKey: `${key}:${index}`,
      ...(template && { template: { key: template.id, limit: BigInt(template.supplyLimit ?? 0) } }),
      ...(expiresAtMs !== undefined && { expiresAt: toSeconds(new Date(expiresAtMs)) }),
    }),
  )
  return chain.mint(attemptKey(key, attempt), { collection: toCollectionRef(collection), tokens: mints })
}

const refuse = async (deps: Deps, delivery: Delivery, reason: string) => {
  const { order, item, lineItemIndex, collection, attempt } = delivery
  deps.log.error({ orderId: order.orderId, lineItemIndex, attempt, reason }, 'the chain refused a delivery')
  await deps.db.transaction(async (tx) => {
    const stored = await lockOrder(tx, order.orderId)
    const current = stored?.order.lineItems[lineItemIndex]
    if (!stored || current?.delivery.status !== 'in-progress') return
    const next = await applyEvents(deps, tx, stored, [{ type: 'item-refused', lineItemIndex, attempt }])
    const isOver = next.lineItems[lineItemIndex]?.delivery.status === 'failed'
    const supply = { collection, templateId: item.templateId }
    if (isOver && current.delivery.tokenIds) await releaseTokens(tx, supply, item.quantity)
  })
}

const succeed = (
  deps: Deps,
  { order, item, lineItemIndex, collection, chain }: Delivery,
  done: {
    walletAddress: string
    tokens: readonly Token[]
    expiresAtMs: ReservedTokens['expiresAtMs']
    txId: string
  },
) => {
  const { orderId, projectId, locale } = order
  const { collectionId, templateId } = item
  const contractAddress = chain.collectionAddress(toCollectionRef(collection))
  const { txId, walletAddress } = done
  const tokens = done.tokens.map(({ tokenId }) => ({
    locator: `${chain.chain}:${contractAddress}:${tokenId}`,
    contractAddress,
    tokenId,
  }))
  return deps.db.transaction(async (tx) => {
    const stored = await lockOrder(tx, orderId)
    if (!stored) return
    const event = { type: 'item-delivered', lineItemIndex, txId, walletAddress, tokens } as const
    await applyEvents(deps, tx, stored, [event])
    const goods = { projectId, collectionId, orderId, lineItemIndex, templateId, locale }
    const { tokens: minted, expiresAtMs } = done
    const nowMs = deps.now()
    await recordDelivered(tx, { ...goods, tokens: minted, owner: walletAddress, txId, expiresAtMs, nowMs })
  })
}

/**
 * Mints one line item to its recipient. Killed at any line and run again, it mints once: token ids are given out
 * in the database, and chain writes go by their key.
 */
export const deliverLineItem =
  (deps: Deps): JobHandler<'orders.deliver'> =>
  async ({ orderId, lineItemIndex }) => {
    const delivery = await findDelivery(deps, orderId, lineItemIndex)
    if (!delivery) return
    const { chain, attempt } = delivery
    const walletAddress = await findWallet(deps, delivery)
    await chain.ready()
    const collection = await ensureContractUri(deps, delivery.collection)
    const contract = await putContract(chain, collection, attempt)
    if (contract.status === 'failed') return refuse(deps, delivery, contract.reason)
    const reserved = await reserveTokens(deps, delivery)
    if (!reserved) return
    const { expiresAtMs } = reserved
    const tokens = await describeTokens(deps, delivery, reserved.tokenIds)
    const minted = await mint(delivery, walletAddress, tokens, expiresAtMs)
    if (minted.status === 'failed') return refuse(deps, delivery, minted.reason)
    await succeed(deps, delivery, { walletAddress, tokens, expiresAtMs, txId: minted.txId })
  }
