import {
  type Address,
  encodeEventTopics,
  encodeFunctionData,
  getAddress,
  type Hex,
  type PublicClient,
} from 'viem'
import type { ChainPort } from '#base/ports/chain.js'
import { firstKey } from '#base/ports/write.js'
import { PaymentRouter } from '../artifacts/PaymentRouter.js'
import type { ChainParts } from '../chainParts.js'
import { creditTrace, type PaidOut } from '../collections/writeTrace.js'
import { toReference } from '../connection/addresses.js'
import type { SendWrite } from '../outbox/createSendWrite.js'
import { findDone } from '../outbox/findDone.js'

/** Whether the payee rejected the coins of a payout, according to the transaction's logs. */
export const isCredited = async (
  client: PublicClient,
  { router, payoutId, txId }: Pick<PaidOut, 'payoutId'> & { router: Address; txId: string },
): Promise<boolean> => {
  const { logs } = await client.getTransactionReceipt({ hash: txId as Hex })
  const asked = encodeEventTopics({ ...PaymentRouter, eventName: 'Credited', args: { payoutId } })
  return logs.some(
    ({ address, topics }) =>
      getAddress(address) === router && asked.every((topic, at) => !topic || topics[at] === topic),
  )
}

/** Creates the part of a port that sends credits to another address than the one that rejected the coins. */
export const createCreditPort = ({ options, contracts, read }: ChainParts, send: SendWrite) => {
  const { router } = contracts
  return {
    payOutCredit: (key, { payOutKey, recipient }, terms) => {
      const payoutId = toReference(firstKey(payOutKey))
      const args = [payoutId, getAddress(recipient)] as const
      const data = encodeFunctionData({ ...PaymentRouter, functionName: 'payOutCredit', args })
      const makeCall = async () => ({ to: router, data })
      return send(key, { makeCall, trace: creditTrace(router, payoutId) }, terms)
    },
    findCreditPayOut: (payOutKey) =>
      read(async (client) => {
        const trace = creditTrace(router, toReference(firstKey(payOutKey)))
        const done = await findDone(client, options, trace, {
          status: 'failed',
          reason: 'waits to be claimed',
        })
        return done.status === 'succeeded' ? done.txId : undefined
      }),
  } satisfies Partial<ChainPort>
}
