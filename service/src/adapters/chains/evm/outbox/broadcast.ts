import { type Address, BaseError, type PublicClient } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Database } from '#base/db/database.js'
import type { Log } from '#base/deps.js'
import { chunk } from '#base/lib/chunk.js'
import { createSettledBatch } from '#base/lib/createBatch.js'
import { firstKey } from '#base/ports/write.js'
import { isAbandoned } from './abandonSigned.js'
import { reopenSigned } from './reopenSigned.js'
import { isShared, listSharers } from './sharedCalls.js'
import type { PricedCall } from './signCall.js'
import { type SignedTransaction, signedFrom, toHex } from './signed.js'

/** Permanent refusals, matched by the nodes' words because they share no error code. */
const lasting = [
  /exceeds the configured cap/i,
  /oversized data/i,
  /exceeds block gas limit|gas limit too high|gas limit is too high|exceeds max(?:imum)? transaction gas limit/i,
  /intrinsic gas too low|floor data gas/i,
]

/** How nodes say that they have a transaction already. A sale on slow blocks sends thousands again. */
const known = /already ?(?:known|imported|exists)|known transaction/i

/** How nodes say that the chain has a transaction with this nonce. */
const used = /nonce too low/i

/** How many permanent refusals of a transaction count as final. */
const maxRefusals = 5

/** Counts how often the node has permanently refused a transaction. */
const createRefusalCount = () => {
  const counts = new Map<string, { count: number; reason: string }>()
  return {
    /** Records the node's reply to a send. */
    note: (txId: string, reason: string): void => {
      if (!lasting.some((words) => words.test(reason))) return
      counts.set(txId, { count: (counts.get(txId)?.count ?? 0) + 1, reason })
    },
    /** Forgets a transaction that the node has accepted. */
    clear: (txId: string): void => {
      counts.delete(txId)
    },
    /** Returns why the node will never accept a transaction, once it has said so often enough. */
    find: (txId: string): string | undefined => {
      const known = counts.get(txId)
      return known && known.count >= maxRefusals ? `the node refuses it: ${known.reason}` : undefined
    },
  }
}

/** The sender and chain of the transactions, and the database that records them. */
export type BroadcastOptions = {
  db: Database
  log: Log
  client: PublicClient
  /** A client that sends the calls of a moment in one request. Without it, each call is a request. */
  batching?: PublicClient | undefined
  account: PrivateKeyAccount
  chain: string
  /**
   * The highest price to offer for a unit of gas, in wei. Without it, the service offers what the chain asks.
   */
  maxFeePerGas: bigint | undefined
  /**
   * Ensures that the account can pay for a call before it is signed again under its key, given the number of the
   * attempt.
   *
   * @returns The reason, if the account cannot pay and waiting would not change that.
   */
  afford?: ((key: string, call: PricedCall, attempt: number) => Promise<string | undefined>) | undefined
  /** Returns why a write is no longer due, given its first key, or `undefined` if it is due. */
  explainUndue?: ((key: string) => Promise<string | undefined>) | undefined
}

/**
 * Returns why a signed transaction must not be signed again, or `undefined` if it may. One that had ended was
 * reported as done, and no caller would send it later, so it stays due. If one of the writes that share it is not due
 * any more, it is given up, and the others are sent alone.
 */
export const explainUndue = async (
  { db, chain, explainUndue: explain }: Pick<BroadcastOptions, 'db' | 'chain' | 'explainUndue'>,
  signed: SignedTransaction,
): Promise<string | undefined> => {
  const { key, endedAt, revertReason } = signed
  // A transaction that does nothing already replaces one with a reason.
  if (!explain || endedAt !== null || revertReason !== null) return undefined
  for (const own of isShared(signed) ? await listSharers(db, key) : [key]) {
    const reason = await explain(firstKey(own.slice(chain.length + 1)))
    if (reason !== undefined) return reason
  }
  return undefined
}

/** What resending a sender's signed transactions needs. The sender's key is not part of it. */
export type SenderOptions = Pick<BroadcastOptions, 'db' | 'log' | 'client' | 'batching' | 'chain'> & {
  sender: Address
  /**
   * Signs the transaction that blocks all later ones again, if that helps.
   *
   * @param refusal - Why the node will never accept it, once the node has said so often enough.
   */
  renew?: (first: SignedTransaction, refusal: string | undefined) => Promise<SignedTransaction>
}

/** How many transactions one request has at most: providers limit them. */
const maxTogether = 20

/** How long after signing a process waits for a transaction and resends it. */
export const waitedForMs = 60_000

/** Sends signed transactions, and resends them as needed. The nonce makes repeated sends harmless. */
export const createBroadcast = (options: SenderOptions) => {
  const { db, log, client, batching = client, chain, sender, renew = async (first) => first } = options
  const refusals = createRefusalCount()
  /** The hashes of the transactions that the node has refused last. */
  const refused = new Set<string>()
  const sendBy = async (by: PublicClient, signed: SignedTransaction): Promise<void> => {
    try {
      await by.request({ method: 'eth_sendRawTransaction', params: [toHex(signed.signedTransaction)] })
      refusals.clear(signed.txId)
      refused.delete(signed.txId)
    } catch (err) {
      // A node also refuses a transaction that it already has. Then the receipt decides. Any other
      // transaction is sent again later.
      if (!(err instanceof Error && 'code' in err)) throw err
      refused.delete(signed.txId)
      if (err instanceof BaseError) refusals.note(signed.txId, err.details)
      if (err instanceof BaseError && known.test(err.details)) return
      if (!(err instanceof BaseError && used.test(err.details))) refused.add(signed.txId)
      log.warn({ chain, key: signed.key, txId: signed.txId, err }, 'the node refused a transaction')
    }
  }

  /**
   * Sends transactions in their order, those that fit into one request at once. Once the node has refused the last one of
   * a request, it would refuse those behind it too: it keeps a limited number for each account.
   */
  const sendAll = async (all: readonly SignedTransaction[]): Promise<PromiseSettledResult<void>[]> => {
    const settled: PromiseSettledResult<void>[] = []
    let isFull = false
    for (const some of chunk(all, maxTogether)) {
      const by = some.length > 1 ? batching : client
      const send = isFull
        ? async ({ txId }: SignedTransaction) => void refused.add(txId)
        : (signed: SignedTransaction) => sendBy(by, signed)
      settled.push(...(await Promise.allSettled(some.map(send))))
      isFull = refused.has(some.at(-1)?.txId ?? '')
    }
    return settled
  }

  const readNonce = (): Promise<number> => client.getTransactionCount({ address: sender, blockTag: 'latest' })

  const findMissing = async (): Promise<SignedTransaction[]> => {
    const nonce = await readNonce()
    const signed = (await signedFrom(db, { chain, sender, nonce })).filter((each) => !isAbandoned(each))
    if (signed.every(({ status }) => status === 'signed')) return signed
    // A transaction that has ended may have landed after the first nonce was read.
    const nonceNow = await readNonce()
    return signed.filter((each) => each.nonce >= nonceNow)
  }

  const sendMissing = async (): Promise<void> => {
    for (const [at, missing] of (await findMissing()).entries()) {
      const signed = missing.status === 'signed' ? missing : await reopenSigned(db, missing)
      if (!signed) continue
      // Later nonces wait for the first one.
      const isFirst = at === 0
      const due = isFirst ? await renew(signed, refusals.find(signed.txId)) : signed
      await sendBy(client, due)
      // What is behind it waits for it, too.
      if (refused.has(due.txId)) return
    }
  }

  return {
    /** Sends a transaction. Those that come while others are on their way are sent together. */
    send: createSettledBatch(sendAll),
    /** Whether the node has refused a transaction, so that it is sent again once there is another block. */
    isRefused: (txId: string): boolean => refused.has(txId),
    /** Resends, in nonce order, everything that the chain does not have. */
    sendMissing,
    /**
     * Resends only if the chain has lost a transaction that had ended, or lacks an old one: a node may have
     * refused the last send. Processes already wait for all others.
     */
    sendLost: async (): Promise<void> => {
      const oldMs = Date.now() - waitedForMs
      const isAlone = ({ status, createdAt }: SignedTransaction): boolean =>
        status !== 'signed' || createdAt.getTime() < oldMs
      if ((await findMissing()).some(isAlone)) await sendMissing()
    },
  }
}
