import { isHash, TransactionReceiptNotFoundError } from 'viem'
import { getTransactionReceipt } from 'viem/actions'
import { isPaymentCompleted, isPaymentReturned } from '../order/index.js'
import type { Order } from '../schema/index.js'
import { orderQueryKey } from './keys.js'
import { getNode, hasNode } from './node.js'
import type { PaymentParameters } from './payContext.js'
import { watchOrder } from './watchOrder.js'

/**
 * What became of a payment that was in a block: the service takes it, or sends it back as too little or too late,
 * or the block itself was reorganised away.
 */
export type Settlement = 'stands' | 'returned' | 'reorganised'

// In polls of the node: slow, because it hardly ever happens.
const beat = 4

/** Waits until a transaction that was in a block is in none, twice in a row: one node may lag behind another. */
const watchBlock = (parameters: PaymentParameters, hash: string) => {
  const { config, ledger, orderId } = parameters
  const chainId = ledger.list(orderId).find(({ txId }) => txId === hash)?.chainId
  let isStopped = false
  const watch = async (): Promise<Settlement> => {
    if (chainId === undefined || !isHash(hash) || !hasNode(config, chainId))
      return new Promise(() => undefined)
    const node = getNode(config, chainId)
    for (let missing = 0; missing < 2; ) {
      await new Promise((resolve) => setTimeout(resolve, node.pollingInterval * beat))
      if (isStopped) return new Promise(() => undefined)
      const isGone = await getTransactionReceipt(node, { hash }).then(
        () => false,
        (error) => error instanceof TransactionReceiptNotFoundError,
      )
      missing = isGone ? missing + 1 : 0
    }
    return 'reorganised'
  }
  return {
    promise: watch(),
    stop: () => {
      isStopped = true
    },
  }
}

/** Waits until the service has decided about a payment that is in a block. Only then is it forgotten. */
export const awaitSettlement = async (parameters: PaymentParameters, txId: string): Promise<Settlement> => {
  const { queryClient, client, ledger, orderId } = parameters
  const isSettled = (order: Order): boolean => isPaymentCompleted(order) || isPaymentReturned(order, txId)
  const settled = watchOrder(parameters, isSettled)
  const block = watchBlock(parameters, txId)
  void queryClient.invalidateQueries({ queryKey: orderQueryKey(client, orderId) })
  const settlement = await Promise.race([
    settled.promise.then((order): Settlement => (isPaymentCompleted(order) ? 'stands' : 'returned')),
    block.promise,
  ])
  settled.stop()
  block.stop()
  if (settlement === 'stands') ledger.clear(orderId)
  if (settlement === 'returned') {
    for (const attempt of ledger.list(orderId)) if (attempt.txId === txId) ledger.remove(attempt)
  }
  return settlement
}
