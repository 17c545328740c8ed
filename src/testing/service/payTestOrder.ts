import type { Address, Hex } from 'viem'
import { toBaseUnits } from '../../schema/baseUnits.js'
import { evmChains } from '../../schema/chains.js'
import { buyer } from '../orderFixture.js'
import { getPaymentCall } from './preparePayment.js'
import { progress } from './progress.js'
import type { TestOrder } from './testOrder.js'
import type { TestWorld } from './testWorld.js'

/** How a payment differs from what the order asks for. */
export type TestPaymentOptions = {
  /** Too little, or too much. @units decimal string in whole units of the payment's currency */
  amount?: string | undefined
  /** Whose money it is: the order's payer by default. */
  payerAddress?: Address | undefined
}

/**
 * Pays an order into a block of this moment.
 *
 * @returns The transaction's hash.
 */
export const payTestOrder = (
  world: TestWorld,
  order: TestOrder,
  { amount, payerAddress }: TestPaymentOptions = {},
): Hex => {
  const { payment, quote } = order
  const units = amount === undefined ? quote.totalUnits : toBaseUnits(amount, payment.decimals)
  if (units === undefined) throw new Error(`Order ${order.orderId} cannot be paid: it has no price`)
  const from = payerAddress ?? payment.payerAddress ?? buyer
  const call = { ...getPaymentCall(order, units), from }
  const { chainId } = evmChains[payment.chain]
  const hash = world.chains.send(chainId, call, { delayMs: 0 })
  const sent = world.chains.transactions().find((transaction) => transaction.hash === hash)
  if (sent?.mined?.isReverted) {
    throw new Error('The payment was turned down: the quote has run out, or its payer has too little')
  }
  progress(world, order)
  return hash
}
