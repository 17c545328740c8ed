import { type Address, encodeFunctionData, erc20Abi, type PublicClient } from 'viem'
import { attemptKey, attemptOf, firstKey, type WriteOptions, type WriteResult } from '#base/ports/write.js'
import { PaymentRouter } from '../artifacts/PaymentRouter.js'
import { getCloneAddress, toReference } from '../connection/addresses.js'
import type { Outbox } from '../outbox/outbox.js'
import type { OutboxCall } from '../outbox/outboxCall.js'
import { type Refusal, refuse } from '../outbox/toResult.js'
import type { PaymentContracts } from './orderPayments.js'

const always = 2n ** 256n - 1n

/** What lending needs: the treasury's account, its transactions, and what a place holds. */
export type Lender = {
  client: PublicClient
  outbox: Outbox
  treasury: Address
  contracts: Pick<PaymentContracts, 'router' | 'depositFactory'>
  /** Reads what the contracts hold at a place. */
  getHeld(place: string, token: Address | undefined): Promise<bigint>
}

/** The amount that the treasury lends, in the native currency without a token. @units base units */
type Loan = { token: Address | undefined; units: bigint }

const readBalance = ({ client, treasury }: Lender, token: Address | undefined): Promise<bigint> =>
  token
    ? client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [treasury] })
    : client.getBalance({ address: treasury })

const makeCall = ({ contracts }: Lender, place: string, { token, units }: Loan): OutboxCall => {
  const reference = toReference(place)
  if (!token) {
    const data = encodeFunctionData({ ...PaymentRouter, functionName: 'pay', args: [reference, always] })
    return { to: contracts.router, value: units, data }
  }
  const to = getCloneAddress(contracts.depositFactory, reference)
  return {
    to: token,
    value: 0n,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, units] }),
  }
}

const makeAffordable = async (lender: Lender, place: string, loan: Loan): Promise<OutboxCall | Refusal> => {
  const held = await readBalance(lender, loan.token)
  if (held < loan.units) {
    return refuse(`the treasury holds ${held} of the ${loan.units} base units to refund`, undefined)
  }
  return makeCall(lender, place, loan)
}

/**
 * Deposits treasury funds under a reference derived from the refund, from which the contract pays once. The contract
 * accepts any number of deposits, so an attempt lends only if every earlier one has failed for good.
 *
 * @param key - The key of the refund's attempt.
 */
export const lendToRefund = async (
  lender: Lender,
  key: string,
  loan: Loan,
  options?: WriteOptions,
): Promise<WriteResult | undefined> => {
  const place = firstKey(key)
  if ((await lender.getHeld(place, loan.token)) >= loan.units) return undefined
  let lent: WriteResult | undefined
  for (let attempt = 1; attempt <= attemptOf(key); attempt++) {
    const own = attemptKey(`loan:${place}`, attempt)
    const terms = { ...options, isGuarded: false }
    lent = await lender.outbox.send(own, () => makeAffordable(lender, place, loan), terms)
    if (lent.status === 'failed' && !lent.txId) lent = await lender.outbox.keepRefusal(own, lent)
    if (lent.status === 'succeeded') return lent
  }
  return lent
}
