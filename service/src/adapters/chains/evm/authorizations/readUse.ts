import { permit2Address } from 'kassa/engine'
import {
  encodeEventTopics,
  erc20Abi,
  getAddress,
  isAddressEqual,
  type Log,
  type PublicClient,
  parseEventLogs,
} from 'viem'
import { Permit2 } from '../artifacts/Permit2.js'
import { PermitSpender } from '../artifacts/PermitSpender.js'
import type { ShownTransaction, WritePart, WriteTopics, WriteTrace } from '../collections/writeTrace.js'
import { authorizationDeployments } from '../connection/addresses.js'
import { findLog } from '../outbox/findDone.js'
import { toHex } from '../outbox/signed.js'
import { type Settlement, transferAbi } from './settleCalls.js'

/** Whether the nonce of an authorization is used, by this payment or another, or cancelled. */
export const isUsed = async (
  client: PublicClient,
  { token, authorization }: Settlement,
): Promise<boolean> => {
  const { kind, payer, nonce } = authorization
  const owner = getAddress(payer)
  if (kind === 'erc3009') {
    const question = { address: token, abi: transferAbi, functionName: 'authorizationState' } as const
    return client.readContract({ ...question, args: [owner, toHex(nonce)] })
  }
  // Permit2 keeps 256 nonces in a word.
  const number = BigInt(nonce)
  const question = { address: permit2Address, ...Permit2, functionName: 'nonceBitmap' } as const
  const word = await client.readContract({ ...question, args: [owner, number >> 8n] })
  return ((word >> (number & 255n)) & 1n) === 1n
}

/** Whether a transaction moved the money of a payment. */
const hasMoved =
  ({ token, recipient, units, authorization }: Settlement) =>
  ({ logs }: ShownTransaction): boolean =>
    parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: [...logs] as Log[] }).some(
      ({ address, args: { from, to, value } }) =>
        isAddressEqual(address, token) &&
        isAddressEqual(from, getAddress(authorization.payer)) &&
        isAddressEqual(to, recipient) &&
        value === units,
    )

/** The logs of the use of a nonce. A signed transfer is cancelled under the same topics by another event. */
const getUse = ({ token, authorization }: Settlement) => {
  const { kind, payer, nonce } = authorization
  const owner = getAddress(payer)
  if (kind !== 'erc3009') {
    const args = { payer: owner, nonce: BigInt(nonce) }
    const topics: WriteTopics = encodeEventTopics({ ...PermitSpender, eventName: 'Paid', args })
    return { address: authorizationDeployments.permitSpender.address, topics, canceled: undefined }
  }
  const args = { authorizer: owner, nonce: toHex(nonce) }
  const used = encodeEventTopics({ abi: transferAbi, eventName: 'AuthorizationUsed', args })
  const canceled = encodeEventTopics({ abi: transferAbi, eventName: 'AuthorizationCanceled', args })
  const [usedName, ...rest] = used
  return { address: token, topics: [usedName, ...rest] as WriteTopics, canceled: canceled[0] }
}

/** Returns the trace of a settled authorization, whoever brought it. */
export const authorizationTrace = (chain: string, settlement: Settlement): WriteTrace => {
  const { address, topics, canceled } = getUse(settlement)
  const parts: WritePart[] = [{ topics, isDoneBy: hasMoved(settlement) }]
  return {
    address,
    look: async (client) => {
      if (!(await isUsed(client, settlement))) return { state: 'absent' }
      if (canceled === undefined) return { state: 'done', parts }
      const head = await client.getBlockNumber({ cacheTime: 0 })
      const [used, ...rest] = topics
      const either: WriteTopics = [[used, canceled].flat().flatMap((topic) => topic ?? []), ...rest]
      const log = await findLog(client, { chain, head, address, topics: either })
      return log?.topics[0] === canceled ? { state: 'partly' } : { state: 'done', parts }
    },
  }
}
