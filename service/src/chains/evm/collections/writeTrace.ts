import type { Address, Hex, Log, PublicClient } from 'viem'
import { encodeEventTopics } from 'viem'
import { CollectionFactory } from '../artifacts/CollectionFactory.js'
import { DepositFactory } from '../artifacts/DepositFactory.js'
import { PaymentRouter } from '../artifacts/PaymentRouter.js'

/** The topics at the start of a write's log. */
export type WriteTopics = (Hex | Hex[] | null)[]

/**
 * What the contracts show of a write, and the topics of the log that identifies its transaction. `partly`
 * means that other writes did part of it, so that it can never be done as a whole. `unclear` means that only
 * the logs show whether this write or another one did it.
 */
export type WriteSight =
  | { state: 'absent' }
  | { state: 'partly' }
  | { state: 'done'; topics: WriteTopics }
  | { state: 'unclear'; topics: WriteTopics; isDoneBy(logs: readonly Log[]): boolean }

/** The permanent trace of a write on chain, from any sender. */
export type WriteTrace = {
  /** The contract that logs the write. */
  address: Address
  look(client: PublicClient): Promise<WriteSight>
}

/** Returns the trace of a payout. Both contracts pay once per id. */
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

/** Returns the trace of a credit that its payee claimed, or that was sent to another address. */
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

/** Returns the trace of a collection, whose address follows from its salt and code. */
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
