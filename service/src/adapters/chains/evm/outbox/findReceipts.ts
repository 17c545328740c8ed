import { getAddress, type PublicClient, type TransactionReceipt } from 'viem'
import { createSettledBatch } from '#base/lib/createBatch.js'
import { groupBy } from '#base/lib/groupBy.js'
import { getBlock } from '../connection/readBlock.js'
import { hashesOf, type SignedTransaction, toHex } from './signed.js'

/** Finds the receipt of a transaction under any of its hashes. */
export const findReceipt = async (
  client: PublicClient,
  signed: SignedTransaction,
): Promise<TransactionReceipt | undefined> => {
  for (const hash of hashesOf(signed)) {
    const receipt = await client.getTransactionReceipt({ hash: toHex(hash) }).catch((error) => {
      if (error instanceof Error && error.name === 'TransactionReceiptNotFoundError') return undefined
      throw error
    })
    if (receipt) return receipt
  }
  return undefined
}

/** A transaction, and its receipt if that was found before. */
type Sought = { signed: SignedTransaction; known: TransactionReceipt | undefined }

/** Memoizes reads by a key, so that each is asked for once. */
const once = <Key, Result>(read: (key: Key) => Promise<Result>): ((key: Key) => Promise<Result>) => {
  const asked = new Map<Key, Promise<Result>>()
  return (key) => {
    const found = asked.get(key) ?? read(key)
    asked.set(key, found)
    return found
  }
}

/**
 * Finds the receipts of several transactions. A block that is still where a receipt was found shows that the receipt is
 * the same. Nonces are used in their order, so the number of a sender's transactions tells which of several have none.
 */
const findAll = (
  client: PublicClient,
  sought: readonly Sought[],
): Promise<PromiseSettledResult<TransactionReceipt | undefined>[]> => {
  const ofSenders = groupBy(sought, ({ signed }) => signed.sender)
  const readCount = once((sender: string) =>
    client.getTransactionCount({ address: getAddress(sender), blockTag: 'latest' }),
  )
  const readBlock = once((number: bigint) => getBlock(client, number))
  const find = async ({ signed, known }: Sought): Promise<TransactionReceipt | undefined> => {
    if (known && (await readBlock(known.blockNumber))?.hash === known.blockHash) return known
    const isAlone = ofSenders.get(signed.sender)?.length === 1
    if (!isAlone && (await readCount(signed.sender)) <= signed.nonce) return undefined
    return findReceipt(client, signed)
  }
  return Promise.allSettled(sought.map(find))
}

const finders = new WeakMap<PublicClient, (sought: Sought) => Promise<TransactionReceipt | undefined>>()

/**
 * Finds the receipt of a transaction, together with all that is sought at the same moment.
 *
 * @param batching - A client that sends the calls of a moment in one request.
 * @param known - The receipt that was found before.
 */
export const findReceiptTogether = (
  { client, batching = client }: { client: PublicClient; batching?: PublicClient | undefined },
  signed: SignedTransaction,
  known: TransactionReceipt | undefined,
): Promise<TransactionReceipt | undefined> => {
  const find =
    finders.get(client) ??
    createSettledBatch((sought: readonly Sought[]) => findAll(sought.length > 1 ? batching : client, sought))
  finders.set(client, find)
  return find({ signed, known })
}
