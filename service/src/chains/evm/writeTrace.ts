import type { Address, Hex, Log, PublicClient } from 'viem'
import { encodeEventTopics } from 'viem'
import { CollectionFactory } from './artifacts/CollectionFactory.js'
import { DepositFactory } from './artifacts/DepositFactory.js'
import { PaymentRouter } from './artifacts/PaymentRouter.js'

/** What the logs of a write begin with. */
export type WriteTopics = (Hex | Hex[] | null)[]

/**
 * What the contracts remember of a write, and the log that tells its transaction. `partly` means that some of it was
 * done by other writes, so that it can never be done as a whole; `unclear`, that the logs alone can tell whether it
 * was this write or another one.
 */
export type WriteSight =
  | { state: 'absent' }
  | { state: 'partly' }
  | { state: 'done'; topics: WriteTopics }
  | { state: 'unclear'; topics: WriteTopics; isDoneBy(logs: readonly Log[]): boolean }

/** What a write leaves on chain for good, whoever sent it. */
export type WriteTrace = {
  /** The contract whose logs tell of it. */
  address: Address
  look(client: PublicClient): Promise<WriteSight>
}

/** The trace of a payout, which both contracts pay once per id. */
export const payOutTrace = (address: Address, isToken: boolean, orderRef: Hex, payoutId: Hex): WriteTrace => {
  const { abi } = isToken ? DepositFactory : PaymentRouter
  const args = { orderRef, payoutId }
  const topics = encodeEventTopics({ abi, eventName: 'PaidOut', args })
  return {
    address,
    look: async (client) => {
      const question = { address, ...PaymentRouter, functionName: 'paidOut', args: [payoutId] } as const
      return (await client.readContract(question)) ? { state: 'done', topics } : { state: 'absent' }
    },
  }
}

/** The trace of a credit that its payee claimed, or that was sent elsewhere for it. */
export const creditTrace = (router: Address, payoutId: Hex): WriteTrace => ({
  address: router,
  look: async (client) => {
    const question = { address: router, ...PaymentRouter, args: [payoutId] } as const
    const isPaidOut = await client.readContract({ ...question, functionName: 'paidOut' })
    const credit = await client.readContract({ ...question, functionName: 'credits' })
    if (!isPaidOut || credit) return { state: 'absent' }
    const topics = encodeEventTopics({ ...PaymentRouter, eventName: 'CreditPaid', args: { payoutId } })
    return { state: 'done', topics }
  },
})

/** The trace of a collection, which stands where its salt and its code put it. */
export const collectionTrace = (
  address: Address,
  collection: Address,
  args: { salt: Hex; implementation: Address },
): WriteTrace => {
  const topics = encodeEventTopics({ ...CollectionFactory, eventName: 'CollectionCreated', args })
  return {
    address,
    look: async (client) =>
      (await client.getCode({ address: collection })) ? { state: 'done', topics } : { state: 'absent' },
  }
}
