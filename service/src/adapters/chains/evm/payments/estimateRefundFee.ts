import { getAddress, type PublicClient } from 'viem'
import type { RefundInput } from '#base/ports/chain.js'
import { readDataFee } from '../connection/dataFee.js'
import { priceOf, readBlockTerms } from '../connection/fees.js'
import { readRevert } from '../connection/readRevert.js'
import type { Operator } from '../operator.js'
import { getPayOutCall, toPayOut } from './payOutCalls.js'

/**
 * The gas of a coin payout. The estimate would be higher, because the router insists on gas that it forwards.
 */
const coinPayOutGas = 80_000n
/** The gas that a coin payout costs more if its payee has code: all that the router forwards, and a credit if it refuses. */
const payeeGas = 185_000n
/** The gas of putting money of the treasury at the place of a refund. */
const loanGas = 70_000n
/** The gas of a token payout that first deploys its deposit address, with a margin. */
const tokenPayOutGas = 200_000n

/** Estimates what a refund would cost the operator now. @units wei */
export const estimateRefundFee = async (
  client: PublicClient,
  operator: Operator,
  input: RefundInput,
): Promise<bigint> => {
  const { account, contracts, options } = operator
  const payOut = toPayOut(operator, `fee:${input.orderId}`, input)
  const call = getPayOutCall(contracts, payOut)
  const estimateTokens = () =>
    client.estimateGas({ account: account.address, ...call }).catch((error) => {
      // The payout would revert. The send finds and records that.
      if (readRevert(error) === undefined) throw error
      return tokenPayOutGas
    })
  const estimateCoins = async () => {
    const code = await client.getCode({ address: getAddress(input.recipient) })
    return code === undefined ? coinPayOutGas : coinPayOutGas + payeeGas
  }
  const payOutGas = await (payOut.token ? estimateTokens() : estimateCoins())
  const gas = input.isFromTreasury ? payOutGas + loanGas : payOutGas
  const { asked } = await readBlockTerms(client)
  const fee = await readDataFee(client, options.chainId, { ...call, gas, fees: asked })
  return gas * priceOf(asked) + fee
}
