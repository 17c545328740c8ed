import { type Address, isAddress } from 'viem'
import { payError } from '../errors/payError.js'

import type { Order } from '../schema/index.js'
import { readTransfer } from './calls.js'
import { getDepositAddress } from './orderAddresses.js'
import type { PaymentTransaction } from './preparation.js'
import { notAllowed } from './refusals.js'
import type { PaymentContracts, PaymentRules, Token } from './rules.js'

// An app may have configured an invalid address. No recipient equals it, and the error shows it.
const expectRecipient = ({ depositFactory }: PaymentContracts, orderId: string): string =>
  isAddress(depositFactory, { strict: false }) ? getDepositAddress(depositFactory, orderId) : depositFactory

/**
 * Checks a payment in a token against the order: it must be exactly a `transfer` of that token to this
 * order's deposit address.
 *
 * @throws {@link KassaError} `pay.token-mismatch`, `pay.call-not-allowed`, `pay.recipient-mismatch`.
 */
export const checkTokenPayment = (
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
