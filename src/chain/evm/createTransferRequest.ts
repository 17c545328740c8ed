import { isAddress } from 'viem'
import { payError } from '../../errors/payError.js'
import { fromBaseUnits, toBaseUnits } from '../../schema/baseUnits.js'
import { evmChains, isEvmChainName } from '../../schema/chains.js'
import type { Order } from '../../schema/index.js'
import { readAmountDue } from '../amountDue.js'
import { toLine } from '../line.js'
import { invalid } from '../refusals.js'
import type { TransferRequest } from '../transferRequest.js'
import { checkPayment, nativeDecimals, requireToken } from './checkPayment.js'
import { getDepositAddress, toOrderReference } from './orderAddresses.js'
import type { PaymentContracts, PaymentRules } from './rules.js'
import { isNativeCurrency } from './tokens.js'

const assertAddresses = ({ router, depositFactory }: PaymentContracts): void => {
  for (const address of [router, depositFactory]) {
    if (!isAddress(address, { strict: false }))
      throw invalid('the contract that the app names is not an address')
  }
}

/** The router refuses a payment after this time. @units seconds since the epoch */
const readDeadline = ({ quote }: Order): number => {
  const expiresAtMs = Date.parse(quote.expiresAt ?? '')
  if (Number.isNaN(expiresAtMs)) throw invalid('the price has no expiry')
  return Math.floor(expiresAtMs / 1000)
}

/**
 * Creates the request for a payment on an EVM chain from any wallet. Its recipient is derived from the app's own
 * contracts, so that an attacker who answers for the service cannot name another. If the order has a transaction to
 * sign, that is checked too.
 *
 * A token is sent to the order's deposit address. The native currency is paid by a call of the router, because coins
 * leave no log at a deposit address. A wallet that ignores the call makes a plain transfer, which the router refuses.
 *
 * @returns Undefined without the app's contracts, and for an order that costs nothing.
 * @throws {@link KassaError} every code of {@link checkPayment}.
 */
export const createTransferRequest = (order: Order, rules: PaymentRules): TransferRequest | undefined => {
  const { contracts } = rules
  if (!contracts) return undefined
  assertAddresses(contracts)
  const { method, preparation } = order.payment
  const chain = method ?? preparation?.chain ?? ''
  if (!isEvmChainName(chain)) throw payError('pay.chain-not-configured', { chain: toLine(chain) })
  if (preparation && preparation.chain !== chain) {
    throw payError('pay.chain-mismatch', { expected: chain, prepared: toLine(preparation.chain) })
  }
  if (preparation?.serializedTransaction) checkPayment(order, rules)
  const total = readAmountDue(order)
  const token = isNativeCurrency(chain, total.currency)
    ? undefined
    : requireToken(rules, chain, total.currency)
  const decimals = token?.decimals ?? nativeDecimals
  const units = toBaseUnits(total.amount, decimals)
  if (units === undefined) throw invalid('its price is not a valid amount of its currency')
  if (units === 0n) return undefined
  const { chainId } = evmChains[chain]
  const address = token && getDepositAddress(contracts.depositFactory, order.orderId)
  const uri = token
    ? `ethereum:${token.address}@${chainId}/transfer?address=${address}&uint256=${units}`
    : `ethereum:${contracts.router}@${chainId}/pay?bytes32=${toOrderReference(order.orderId)}&uint256=${readDeadline(order)}&value=${units}`
  return {
    uri,
    chain,
    chainId,
    address,
    amount: fromBaseUnits(units, decimals),
    currency: total.currency,
    units,
  }
}
