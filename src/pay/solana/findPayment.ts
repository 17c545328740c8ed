import type { SolanaPaymentAttempt } from '../../chain/index.js'
import { fromBase64 } from '../../chain/solana/transaction.js'
import { isSamePayment, namesAccount } from '../../chain/solana/transfer.js'
import type { Finding } from '../family.js'
import type { ListedTransaction, SolanaNode } from './node.js'

/** Whether a transaction makes the payment that the wallet was asked for. */
export const isAttempted = ({ message }: SolanaPaymentAttempt, sent: Uint8Array): boolean => {
  const asked = fromBase64(message)
  return asked !== undefined && isSamePayment(asked, sent)
}

/**
 * How far one of several nodes behind an address may lag. Nodes report themselves as unhealthy at 128 slots, and not every
 * provider passes on the slot that a node must have reached.
 *
 * @units blocks
 */
export const lagBlocks = 150n
/** Higher than any block: the last one of a payment that may come at any time. */
export const noLastBlock = 10n ** 15n
/** Half a day. Nodes forget older transactions, and then a list without the payment proves nothing. @units slots */
const historySlots = 100_000n
/** More transactions than an order's own account has, unless an attacker floods it. */
const maxPages = 10

/** Lists what succeeded at the account that an attempt pays, since the wallet was asked. */
const listSince = async (
  node: SolanaNode,
  { recipient, fromSlot }: SolanaPaymentAttempt,
  minSlot: bigint,
): Promise<ListedTransaction[]> => {
  const since = BigInt(fromSlot)
  const found: ListedTransaction[] = []
  for (let page = 0; page < maxPages; page++) {
    const listed = await node.listSignatures(recipient, { minSlot, before: found.at(-1)?.signature })
    found.push(...listed)
    const last = listed.at(-1)
    if (!last || last.slot < since) return found.filter(({ slot, err }) => slot >= since && err === null)
  }
  throw new Error('the node lists too many transactions')
}

/**
 * Searches an attempt's payment among the transactions of the account that it pays, which is the order's own.
 *
 * The payment is over if all of this holds: a final block is far above the last one that can take in the message, the
 * node that lists the transactions has confirmed that block, its history reaches back to when the wallet was asked,
 * and no transaction in the list can be the payment.
 *
 * @throws the node's error when it is unavailable.
 */
export const findPayment = async (node: SolanaNode, attempt: SolanaPaymentAttempt): Promise<Finding> => {
  // Read first: what a block up to this height took in, the list after it contains.
  const final = await node.getFinal()
  let isUnclear = false
  for (const { signature } of await listSince(node, attempt, final.slot)) {
    const sent = await node.getTransaction(signature)
    if (!sent) throw new Error('the node lists a transaction that it does not have')
    if (isAttempted(attempt, sent.message)) return { txId: signature, hasOpenTransaction: false }
    // A wallet that is a program makes the payment inside a transaction of its own.
    if (namesAccount(sent.message, attempt.payerAddress)) isUnclear = true
  }
  const isOver =
    !isUnclear &&
    final.height > BigInt(attempt.lastBlockHeight) + lagBlocks &&
    final.slot - BigInt(attempt.fromSlot) <= historySlots
  return { txId: undefined, hasOpenTransaction: false, isOver }
}
