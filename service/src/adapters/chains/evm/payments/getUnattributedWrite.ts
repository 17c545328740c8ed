import { encodeFunctionData, getAddress } from 'viem'
import { ServiceError } from '#base/errors.js'
import type { RefundInput } from '#base/ports/chain.js'
import { DepositFactory } from '../artifacts/DepositFactory.js'
import { payOutTrace } from '../collections/writeTrace.js'
import type { Operator } from '../operator.js'
import type { Write } from '../outbox/createSendWrite.js'
import { getPayOutCall, toPayOut } from './payOutCalls.js'

/**
 * Returns the write that sends what arrived at a deposit address outside every payment method: coins, or a token that the
 * deployment does not accept.
 *
 * @throws {ServiceError} `input-invalid` if the token is accepted.
 */
export const getUnattributedWrite = (
  { options, contracts, currencies }: Operator,
  key: string,
  input: RefundInput,
): Write => {
  const { currency } = input
  const isCoins = currency === options.nativeCurrency
  if (!isCoins && currencies.some(({ address }) => address?.toLowerCase() === currency.toLowerCase())) {
    throw new ServiceError(
      'input-invalid',
      `currency: ${currency} is accepted for payments, so it is refunded`,
    )
  }
  const { depositFactory } = contracts
  const tokenOf = () => (isCoins ? undefined : getAddress(currency))
  const payOut = toPayOut({ tokenOf }, key, input)
  const { orderRef, payoutId, to, units } = payOut
  const args = [orderRef, payoutId, to, units] as const
  // Coins at a deposit address are no payment at the router, so the factory pays them too.
  const call = isCoins
    ? {
        to: depositFactory,
        data: encodeFunctionData({ ...DepositFactory, functionName: 'payOutCoins', args }),
      }
    : getPayOutCall(contracts, payOut)
  return { makeCall: async () => call, trace: payOutTrace(depositFactory, true, payOut) }
}
