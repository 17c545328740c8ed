import { type Address, type Hex, numberToHex, type PublicClient, type RpcLog } from 'viem'
import { ServiceError } from '#base/errors.js'
import type { WriteResult } from '#base/ports/write.js'
import type { WriteTopics, WriteTrace } from '../collections/writeTrace.js'

type Failed = Extract<WriteResult, { status: 'failed' }>

/** The errors with which the contracts refuse a second execution. */
const guards =
  /^(AlreadyPaidOut|NothingCredited|AlreadyMinted|ERC721InvalidSender|FailedDeployment|Stale(Token)?Revision)\(/

const blocksPerLook = 1_000n
/** How many ranges of blocks to query on a node that refuses to search all blocks at once. */
const maxLooks = 300

const later = (message: string): ServiceError =>
  new ServiceError('chain-unavailable', message, { retryAfterSeconds: 5 })

type LogFilter = { address: Address; topics: WriteTopics }

const readLogs = (
  client: PublicClient,
  { address, topics }: LogFilter,
  { from, to }: { from: bigint; to: bigint },
) => {
  const range = { fromBlock: numberToHex(from), toBlock: numberToHex(to) }
  return client.request({ method: 'eth_getLogs', params: [{ address, topics, ...range }] })
}

/** Which log of a chain is searched for, up to which block. */
type LogSearch = LogFilter & {
  chain: string
  head: bigint
  /** Whether a log is the right one, where the topics alone do not decide. */
  isIt?: (log: RpcLog) => boolean
}

/**
 * Finds the first log that matches, in as many blocks as the node searches.
 *
 * @throws {ServiceError} `chain-unavailable` if that is too little to know that there is none.
 */
export const findLog = async (
  client: PublicClient,
  { chain, head, isIt = () => true, ...filter }: LogSearch,
): Promise<RpcLog | undefined> => {
  const all = await readLogs(client, filter, { from: 0n, to: head }).catch(() => undefined)
  if (all) return all.find(isIt)
  let to = head
  for (let look = 0; look < maxLooks && to >= 0n; look++) {
    const from = to >= blocksPerLook ? to - blocksPerLook + 1n : 0n
    const log = (await readLogs(client, filter, { from, to })).find(isIt)
    if (log) return log
    to = from - 1n
  }
  if (to < 0n) return undefined
  throw later(`${chain} does not tell which transaction did what was to be done`)
}

/**
 * Checks whether a failed write took effect after all, through a transaction that was taken for lost or whose
 * record was lost. Reporting it as failed would give out both the goods and the money. Reporting another write as
 * this one would give out nothing at all: the amount, the recipient and the reference must agree.
 *
 * @throws {ServiceError} `chain-unavailable` while the chain contradicts itself or its node does not report
 * enough.
 */
export const findDone = async (
  client: PublicClient,
  { chain, confirmations }: { chain: string; confirmations: number },
  trace: WriteTrace,
  failed: Failed,
): Promise<WriteResult> => {
  const sight = await trace.look(client)
  if (sight.state === 'partly') return failed
  if (sight.state === 'absent') {
    if (guards.test(failed.reason)) throw later(`${chain} says both that a thing is done and that it is not`)
    return failed
  }
  const head = await client.getBlockNumber({ cacheTime: 0 })
  let open = sight.parts
  let txId: string | undefined
  while (true) {
    const [part] = open
    if (!part) break
    const log = await findLog(client, { chain, head, address: trace.address, topics: part.topics })
    if (!log?.transactionHash || log.blockNumber === null) {
      throw later(`${chain} does not show the transaction that did what was to be done`)
    }
    if (head - BigInt(log.blockNumber as Hex) + 1n < BigInt(confirmations)) {
      throw later(`${chain} may still take back what was done`)
    }
    const hash = log.transactionHash
    const [{ logs }, { input }] = await Promise.all([
      client.getTransactionReceipt({ hash }),
      client.getTransaction({ hash }),
    ])
    // Another write has used the id: for another amount, recipient or order.
    if (!part.isDoneBy({ input, logs })) return failed
    txId ??= hash
    open = open.filter(({ isDoneBy }) => !isDoneBy({ input, logs }))
  }
  return txId === undefined ? failed : { status: 'succeeded', txId }
}
