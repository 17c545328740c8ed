import { parseAddress } from '../../engine/solana/parseAddress.js'
import { payError } from '../../errors/payError.js'
import { fromBaseUnits, toBaseUnits } from '../../schema/baseUnits.js'
import type { Order } from '../../schema/index.js'
import { readAmountDue } from '../amountDue.js'
import { toLine } from '../line.js'
import { invalid } from '../refusals.js'
import type { TransferRequest } from '../transferRequest.js'
import { checkSolanaPayment } from './checkSolanaPayment.js'
import { getOrderAccounts } from './orderAccounts.js'
import { type SolanaRules, solDecimals } from './tokens.js'

/**
 * Creates the request for a payment in SOL from any wallet, as a transfer request of Solana Pay. The order's account
 * and its references are derived from the app's own operator address. If the order has a message to sign, that is
 * checked too.
 *
 * @returns Undefined without an operator, for an order that costs nothing, and for tokens: wallets send those to the
 * recipient's associated token account, which is not the order's.
 * @throws {@link KassaError} every code of {@link checkSolanaPayment}.
 * @source docs.solanapay.com/spec
 */
export const createSolanaRequest = (order: Order, rules: SolanaRules): TransferRequest | undefined => {
  const { operator } = rules
  if (operator === undefined) return undefined
  if (parseAddress(operator) === undefined) throw invalid('the operator that the app names is not an address')
  const { method, preparation } = order.payment
  const chain = method ?? preparation?.chain ?? ''
  const other = [chain, preparation?.chain ?? chain].find((name) => name !== 'solana')
  if (other !== undefined)
    throw payError('pay.chain-mismatch', { expected: 'solana', prepared: toLine(other) })
  if (preparation?.serializedTransaction) checkSolanaPayment(order, rules)
  const total = readAmountDue(order)
  if (total.currency !== 'sol') return undefined
  const units = toBaseUnits(total.amount, solDecimals)
  if (units === undefined) throw invalid('its price is not a valid amount of its currency')
  if (units === 0n) return undefined
  const { account, references } = getOrderAccounts(operator, order.orderId, undefined)
  const amount = fromBaseUnits(units, solDecimals)
  const query = [`amount=${amount}`, ...references.map((reference) => `reference=${reference}`)].join('&')
  const uri = `solana:${account}?${query}`
  return { uri, chain, chainId: undefined, address: undefined, amount, currency: total.currency, units }
}
