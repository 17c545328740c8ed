import { encodeFunctionData, getAddress } from 'viem'
import type { RefundInput } from '#base/ports/chain.js'
import { firstKey } from '#base/ports/write.js'
import { DepositFactory } from '../artifacts/DepositFactory.js'
import { PaymentRouter } from '../artifacts/PaymentRouter.js'
import { type PaidOut, payOutTrace, type WriteTrace } from '../collections/writeTrace.js'
import { toReference } from '../connection/addresses.js'
import type { Operator } from '../operator.js'
import type { OutboxCall, Sharing } from '../outbox/outboxCall.js'
import type { PaymentContracts } from './orderPayments.js'

type Contracts = Pick<PaymentContracts, 'router' | 'depositFactory'>

/** Converts a payout to the form of the contracts. */
export const toPayOut = (
  { tokenOf }: Pick<Operator, 'tokenOf'>,
  key: string,
  { orderId, currency, units, recipient }: RefundInput,
): PaidOut => ({
  token: tokenOf(currency),
  orderRef: toReference(orderId),
  // The same for every attempt: the contracts pay once per id.
  payoutId: toReference(firstKey(key)),
  to: getAddress(recipient),
  units,
})

/** Returns the call of a payout: tokens leave from a deposit address, coins from the router. */
export const getPayOutCall = ({ router, depositFactory }: Contracts, payOut: PaidOut): OutboxCall => {
  const { orderRef, payoutId, token, to, units } = payOut
  if (token) {
    const args = [orderRef, payoutId, token, to, units] as const
    return {
      to: depositFactory,
      data: encodeFunctionData({ ...DepositFactory, functionName: 'payOut', args }),
    }
  }
  const args = [orderRef, payoutId, to, units] as const
  return { to: router, data: encodeFunctionData({ ...PaymentRouter, functionName: 'payOut', args }) }
}

/** Returns the trace of a payout, at the contract that {@link getPayOutCall} calls. */
export const getPayOutTrace = ({ router, depositFactory }: Contracts, payOut: PaidOut): WriteTrace =>
  payOut.token ? payOutTrace(depositFactory, true, payOut) : payOutTrace(router, false, payOut)

/**
 * Payouts of one kind and contract share a transaction: the contracts pay once per id. Refunds go to anyone who paid,
 * and a recipient that makes a transaction fail delays no proceeds.
 */
export const sharePayOuts = (
  { router, depositFactory }: Contracts,
  kind: 'refund' | 'sweep',
  { token }: PaidOut,
): Sharing => ({
  name: `${kind}:${token ? depositFactory : router}`,
  join: (calldata) =>
    encodeFunctionData({ ...PaymentRouter, functionName: 'multicall', args: [[...calldata]] }),
})
