import { type Address, getAddress, keccak256, stringToHex } from 'viem'
import { makeKey } from '../../query/makeKey.js'
import type { TestItem, TestOrder } from './testOrder.js'
import type { TestWorld } from './testWorld.js'

/** An address that stands for a name, the same one each time. */
const nameAddress = (name: string): Address => getAddress(`0x${keccak256(stringToHex(name)).slice(-40)}`)

/**
 * Mints what was bought to its recipient, unless a test wants that to fail or nothing is left of it.
 *
 * @returns Whether it was minted.
 */
export const deliverItem = ({ collections }: TestWorld, order: TestOrder, item: TestItem): boolean => {
  const { quantity, templateId = '', chain, collectionId } = item
  const collection = collections.get(collectionId)
  const sold = collection?.sold.get('') ?? 0
  const isLeft =
    collection && !collection.isSoldOut && sold + quantity <= (collection.supply ?? Number.POSITIVE_INFINITY)
  if (!collection || !isLeft || item.isDoomed) {
    item.delivery = { ...item.delivery, status: 'failed' }
    return false
  }
  collection.sold.set('', sold + quantity)
  if (templateId) collection.sold.set(templateId, (collection.sold.get(templateId) ?? 0) + quantity)
  const contractAddress = nameAddress(`collection ${collectionId}`)
  const tokens = Array.from({ length: quantity }, () => {
    collection.lastTokenId += 1
    const tokenId = String(collection.lastTokenId)
    return { locator: `${chain}:${contractAddress}:${tokenId}`, contractAddress, tokenId }
  })
  item.delivery = {
    status: 'completed',
    // Who gives an e-mail address has a wallet kept for them.
    walletAddress: item.delivery.walletAddress ?? nameAddress(order.recipient?.email ?? ''),
    txId: keccak256(stringToHex(makeKey())),
    tokens,
  }
  return true
}
