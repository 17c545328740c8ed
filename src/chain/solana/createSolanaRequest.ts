import { toMemo } from '../../engine/solana/orderAccounts.js'
import { payError } from '../../errors/payError.js'
import { fromBaseUnits, toBaseUnits } from '../../schema/baseUnits.js'
import type { Order } from '../../schema/index.js'
import { readAmountDue } from '../amountDue.js'
import { toLine } from '../line.js'
import { invalid } from '../refusals.js'
import type { TransferRequest } from '../transferRequest.js'
import { checkSolanaPayment, deriveAccounts } from './checkSolanaPayment.js'
import { findSolanaToken, type SolanaRules, solDecimals } from './tokens.js'

/**
 * Creates the request for a payment from any wallet, as a transfer request of Solana Pay. The order's address and its
 * references are derived from the app's own operator address. If the order has a message to sign, that is checked too.
 *
 * @returns Undefined without an operator, and for an order that costs nothing.
 * @throws {@link KassaError} every code of {@link checkSolanaPayment}.
 * @source docs.solanapay.com/spec
 */
export const createSolanaRequest = (order: Order, rules: SolanaRules): TransferRequest | undefined => {
  const { operator } = rules
  if (operator === undefined) return undefined
  const { method, preparation } = order.payment
  const chain = method ?? preparation?.chain ?? ''
  const other = [chain, preparation?.chain ?? chain].find((name) => name !== 'solana')
  if (other !== undefined)
    throw payError('pay.chain-mismatch', { expected: 'solana', prepared: toLine(other) })
  if (preparation?.serializedTransaction) checkSolanaPayment(order, rules)
  const { amount: price, currency } = readAmountDue(order)
  const token = findSolanaToken(rules, currency)
  const decimals = token?.decimals ?? solDecimals
  const units = toBaseUnits(price, decimals)
  if (units === undefined) throw invalid('its price is not a valid amount of its currency')
  const { owner: address, references } = deriveAccounts(operator, order.orderId, token?.address)
  if (units === 0n) return undefined
  const amount = fromBaseUnits(units, decimals)
  const fields = [
    `amount=${amount}`,
    ...(token ? [`spl-token=${token.address}`] : []),
    ...references.map((reference) => `reference=${reference}`),
    `memo=${encodeURIComponent(toMemo(order.orderId))}`,
  ]
  const uri = `solana:${address}?${fields.join('&')}`
  return { uri, chain, chainId: undefined, address, amount, currency, units }
}
