import type { Address, Hex, Log, PublicClient } from 'viem'
import { decodeEventLog, encodeEventTopics, getAddress, isAddressEqual, zeroAddress } from 'viem'
import { CollectionFactory } from '../artifacts/CollectionFactory.js'
import { DepositFactory } from '../artifacts/DepositFactory.js'
import { PaymentRouter } from '../artifacts/PaymentRouter.js'

/** The topics at the start of a write's log. */
export type WriteTopics = (Hex | Hex[] | null)[]

/** A transaction in a block: what the operator signed, and what the contracts logged. */
export type ShownTransaction = { input: Hex; logs: readonly Log[] }

/**
 * One effect of a write: the topics of the log that identifies its transaction, and whether that transaction did it
 * with the same amount, recipient and reference. A database that was restored from a backup may give out an id again,
 * so that another write may have used it.
 */
export type WritePart = { topics: WriteTopics; isDoneBy: (shown: ShownTransaction) => boolean }

/**
 * What the contracts show of a write. `partly` means that other writes did part of it, so that it can never be done as a
 * whole. `done` means that its ids are used, by this write or by others: its parts decide that.
 */
export type WriteSight = { state: 'absent' } | { state: 'partly' } | { state: 'done'; parts: WritePart[] }

/** The part of a write whose ids no other write can have. */
export const onlyPart = (topics: WriteTopics): WritePart[] => [{ topics, isDoneBy: () => true }]

/** The permanent trace of a write on chain, from any sender. */
export type WriteTrace = {
  /** The contract that logs the write. */
  address: Address
  look(client: PublicClient): Promise<WriteSight>
}

/** What a payout pays. Without a token, it pays coins. */
export type PaidOut = {
  orderRef: Hex
  payoutId: Hex
  token: Address | undefined
  to: Address
  units: bigint
}

/** Reads the payout that a log reports, or returns `undefined` for any other log. */
const readPaidOut = (log: Pick<Log, 'topics' | 'data'>, isToken: boolean): PaidOut | undefined => {
  const { topics, data } = log
  try {
    if (!isToken) {
      const { args } = decodeEventLog({ ...PaymentRouter, eventName: 'PaidOut', topics, data })
      const { orderRef, payoutId, to, amount } = args
      return { orderRef, payoutId, token: undefined, to, units: amount }
    }
    const { args } = decodeEventLog({ ...DepositFactory, eventName: 'PaidOut', topics, data })
    const { orderRef, payoutId, token, to, amount } = args
    return { orderRef, payoutId, token: token === zeroAddress ? undefined : token, to, units: amount }
  } catch {
    return undefined
  }
}

/** Returns the trace of a payout by the router or by the deposit factory. Both contracts pay once per id. */
export const payOutTrace = (address: Address, isFactory: boolean, wanted: PaidOut): WriteTrace => {
  const { orderRef, payoutId, token = zeroAddress, to, units } = wanted
  const { abi } = isFactory ? DepositFactory : PaymentRouter
  const topics = encodeEventTopics({ abi, eventName: 'PaidOut', args: { payoutId } })
  const isSame = (log: Log): boolean => {
    const paid = isAddressEqual(log.address, address) ? readPaidOut(log, isFactory) : undefined
    return (
      paid?.payoutId === payoutId &&
      paid.orderRef === orderRef &&
      paid.units === units &&
      isAddressEqual(paid.to, getAddress(to)) &&
      isAddressEqual(paid.token ?? zeroAddress, token)
    )
  }
  return {
    address,
    look: async (client) => {
      const question = { address, ...PaymentRouter, functionName: 'paidOut', args: [payoutId] } as const
      if (!(await client.readContract(question))) return { state: 'absent' }
      return { state: 'done', parts: [{ topics, isDoneBy: ({ logs }) => logs.some(isSame) }] }
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
    return { state: 'done', parts: onlyPart(topics) }
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
      (await client.getCode({ address: collection }))
        ? { state: 'done', parts: onlyPart(topics) }
        : { state: 'absent' },
  }
}
