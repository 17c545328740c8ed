import { type Address, erc20Abi, type PublicClient } from 'viem'
import { PaymentRouter } from '../artifacts/PaymentRouter.js'
import { getCloneAddress, toReference } from '../connection/addresses.js'
import type { PaymentContracts } from './orderPayments.js'

/** The place of an order, or of a refund by the treasury, and the token of which to read what is there. */
export type HeldAt = { place: string; token: Address | undefined }

/** Reads what the contracts hold at a place, in the native currency without a token. @units base units */
export const readHeld = (
  client: PublicClient,
  { router, depositFactory }: Pick<PaymentContracts, 'router' | 'depositFactory'>,
  { place, token }: HeldAt,
): Promise<bigint> => {
  const reference = toReference(place)
  return token
    ? client.readContract({
        address: token,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [getCloneAddress(depositFactory, reference)],
      })
    : client.readContract({ address: router, ...PaymentRouter, functionName: 'held', args: [reference] })
}
