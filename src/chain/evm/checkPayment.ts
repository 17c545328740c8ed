import { type Address, type Hex, isAddress, zeroAddress } from 'viem'
import { payError } from '../../errors/payError.js'
import { fromBaseUnits, toBaseUnits } from '../../schema/baseUnits.js'
import type { Amount, EvmChainName, Order } from '../../schema/index.js'
import type { AuthorizationKind } from '../../schema/orderMembers.js'
import { readAmountDue } from '../amountDue.js'
import { toLine } from '../line.js'
import { invalid, notAllowed } from '../refusals.js'
import { readRouterPay, readTransfer } from './calls.js'
import { findToken } from './findToken.js'
import { getDepositAddress, toOrderReference } from './orderAddresses.js'
import { type PaymentTransaction, readPreparation } from './preparation.js'
import type { PaymentContracts, PaymentRules, Token } from './rules.js'
import { isNativeCurrency } from './tokens.js'

/**
 * Returns the address at which an order is paid in a token. An app may have configured an invalid address for its
 * factory. No recipient equals that, and the error shows it.
 */
export const expectRecipient = ({ depositFactory }: PaymentContracts, orderId: string): string =>
  isAddress(depositFactory, { strict: false }) ? getDepositAddress(depositFactory, orderId) : depositFactory

/**
 * Checks a payment in a token against the order: it must be exactly a `transfer` of that token to this
 * order's deposit address.
 *
 * @throws {@link KassaError} `pay.token-mismatch`, `pay.call-not-allowed`, `pay.recipient-mismatch`.
 */
const checkTokenPayment = (
  order: Order,
  { to, data, valueWei }: PaymentTransaction,
  token: Token,
  { contracts }: PaymentRules,
): { recipient: Address; units: bigint } => {
  if (to !== token.address) {
    const currency = order.quote.totalPrice?.currency ?? ''
    throw payError('pay.token-mismatch', { currency, expected: token.address, prepared: to })
  }
  if (valueWei !== 0n) throw notAllowed('it also sends the native currency')
  const transfer = readTransfer(data)
  if (!transfer) throw notAllowed('it calls something other than a transfer of the token')
  const expected = contracts && expectRecipient(contracts, order.orderId)
  if (expected !== undefined && expected !== transfer.recipient) {
    throw payError('pay.recipient-mismatch', { expected, prepared: transfer.recipient })
  }
  return transfer
}

const checkRouterCall = (order: Order, { data }: PaymentTransaction): void => {
  const call = readRouterPay(data)
  if (!call) throw notAllowed('it calls something other than the payment of an order')
  if (call.orderRef !== toOrderReference(order.orderId)) throw notAllowed('it pays for another order')
  const expiresAtMs = Date.parse(order.quote.expiresAt ?? '')
  // A quote without an expiry gives NaN, which equals no deadline.
  if (Number(call.deadline) !== Math.floor(expiresAtMs / 1000))
    throw notAllowed('its deadline is not the end of the quote')
}

/**
 * Checks a payment in a chain's native currency against the order: it must call the payment router, for this
 * order, with the quote's expiry as its deadline.
 *
 * @throws {@link KassaError} `pay.recipient-mismatch`, `pay.call-not-allowed`.
 */
const checkNativePayment = (
  order: Order,
  transaction: PaymentTransaction,
  { contracts }: PaymentRules,
): { recipient: Address; units: bigint } => {
  const { to, data, valueWei } = transaction
  if (contracts && contracts.router.toLowerCase() !== to.toLowerCase()) {
    throw payError('pay.recipient-mismatch', { expected: contracts.router, prepared: to })
  }
  // A service without a router may use a plain transfer.
  if (contracts || data !== '0x') checkRouterCall(order, transaction)
  return { recipient: to, units: valueWei }
}

/**
 * The transaction the buyer will be asked to sign, checked against the order. It has no gas, fees or nonce,
 * because the wallet decides those.
 *
 * @units `valueWei` is in wei of the chain's native currency, `units` in base units of `currency`.
 */
export type CheckedPayment = {
  /** The chain by the interface's name. */
  chain: EvmChainName
  chainId: number
  payerAddress: Address
  to: Address
  valueWei: bigint
  data: Hex
  /** The final recipient: the deposit address of a token payment, else `to`. */
  recipient: Address
  /** In lower case. */
  currency: string
  units: bigint
  /** Undefined when the native currency is paid. */
  token: Token | undefined
  /** How the payer signs a payment that the shop sends; undefined for a transaction, which the wallet sends. */
  authorization?: AuthorizationKind | undefined
}

/**
 * Finds the token of a currency.
 *
 * @throws {@link KassaError} `pay.token-unknown`.
 */
export const requireToken = (rules: PaymentRules, chain: string, currency: string): Token => {
  const token = findToken(rules, chain, currency)
  if (!token) throw payError('pay.token-unknown', { chain, currency: toLine(currency, 20) })
  return token
}

const checkAmount = (units: bigint, total: Amount, decimals: number): void => {
  if (toBaseUnits(total.amount, decimals) === units) return
  const currency = toLine(total.currency, 20)
  throw payError('pay.amount-mismatch', {
    quoted: `${toLine(total.amount)} ${currency}`,
    prepared: `${fromBaseUnits(units, decimals)} ${currency}`,
  })
}

/**
 * Refuses a recipient that is wrong for every shop.
 *
 * @throws {@link KassaError} `pay.call-not-allowed`.
 */
export const checkRecipient = (
  recipient: Address,
  { payerAddress, to }: Pick<PaymentTransaction, 'payerAddress' | 'to'>,
  isToken: boolean,
): void => {
  if (recipient === zeroAddress) throw notAllowed('it pays the zero address')
  if (recipient === payerAddress) throw notAllowed('it pays the payer')
  if (isToken && recipient === to) throw notAllowed('it pays the contract of the token')
}

/** One whole unit of a native currency is 10 to this power in wei. */
export const nativeDecimals = 18

/**
 * Decodes the transaction an order asks the buyer to sign and checks every part of it against the order. An
 * attacker who answers for the service cannot get anything signed but the payment of this order.
 *
 * @param rules - What the app knows independently of the service.
 * @returns What to ask the wallet for.
 * @throws {@link KassaError} `pay.preparation-invalid`, `pay.chain-mismatch`, `pay.chain-not-configured`,
 * `pay.token-unknown`, `pay.token-mismatch`, `pay.call-not-allowed`, `pay.amount-mismatch`,
 * `pay.recipient-mismatch`.
 * @source answers.md "Order states"
 */
export const checkPayment = (order: Order, rules: PaymentRules): CheckedPayment => {
  const transaction = readPreparation(order)
  if (!transaction) throw invalid('the order has none')
  const total = readAmountDue(order)
  const { gas: _, ...asked } = transaction
  const token = isNativeCurrency(transaction.chain, total.currency)
    ? undefined
    : requireToken(rules, transaction.chain, total.currency)
  const paid = token
    ? checkTokenPayment(order, transaction, token, rules)
    : checkNativePayment(order, transaction, rules)
  checkRecipient(paid.recipient, transaction, token !== undefined)
  checkAmount(paid.units, total, token?.decimals ?? nativeDecimals)
  return { ...asked, ...paid, currency: total.currency, token }
}
