import { getAddress, keccak256, stringToHex } from 'viem'
import { makeKey } from '../../api/makeKey.js'
import { mintTokens } from './mintTokens.js'
import type { TestItem, TestOrder } from './testOrder.js'
import type { TestWorld } from './testWorld.js'
import { openTestUserWallet } from './wallets/openTestUserWallet.js'
import { toUserLocator } from './wallets/userLocator.js'

/**
 * Mints what was bought to its recipient, unless a test wants that to fail or nothing is left of it.
 *
 * @returns Whether it was minted.
 */
export const deliverItem = (world: TestWorld, order: TestOrder, item: TestItem): boolean => {
  const { quantity, templateId = '', collectionId, metadata: looks } = item
  const collection = world.collections.get(collectionId)
  const sold = collection?.sold.get('') ?? 0
  const isLeft =
    collection && !collection.isSoldOut && sold + quantity <= (collection.supply ?? Number.POSITIVE_INFINITY)
  if (!collection || !isLeft || item.isDoomed) {
    item.delivery = { ...item.delivery, status: 'failed' }
    return false
  }
  collection.sold.set('', sold + quantity)
  if (templateId) collection.sold.set(templateId, (collection.sold.get(templateId) ?? 0) + quantity)
  // Who gives an e-mail address has a wallet kept for them.
  const userLocator = toUserLocator('email', order.recipient?.email ?? '')
  const owner = item.delivery.walletAddress
    ? getAddress(item.delivery.walletAddress)
    : openTestUserWallet(world, { type: 'evm-mpc-wallet', userLocator }).address
  item.delivery = {
    status: 'completed',
    walletAddress: owner,
    txId: keccak256(stringToHex(makeKey())),
    tokens: mintTokens(world, collection, { owner, quantity, looks }),
  }
  return true
}
