import { and, asc, eq, isNull } from 'drizzle-orm'
import { approvedTooLate } from 'kassa/engine'
import { walletTransactions } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { createUuid } from '#base/lib/uuid.js'
import type { MessagePort, MessageToSend } from '#base/ports/messages.js'
import type { ProgramWalletPort } from '#base/ports/programWallets.js'
import type { WalletResult } from '#base/ports/write.js'
import type { WalletRow } from '#identity/wallets/findWallet.js'
import { checkSanctions } from '../checkSanctions.js'
import { isPendingIn, type NonceChannel } from '../nonceChannels.js'
import { createRecorder, type EndedTransaction, recordResults } from '../recordResults.js'
import type { TransactionRow } from '../transaction.js'
import { withCustodialKey } from '../withCustodialKey.js'

/** An account that signs whole transactions, and the port of its chain. */
type MessageAccount = { wallet: WalletRow; port: MessagePort }

/** Signs for the wallet, and sends. */
type Send = (key: string, message: Omit<MessageToSend, 'privateKey'>) => Promise<WalletResult>

const sendMessage = async (
  { id, params, message }: TransactionRow,
  send: Send,
): Promise<EndedTransaction> => {
  if (!message || !('transaction' in params)) throw new Error(`the transaction ${id} has no message`)
  const result = await send(`transaction:${id}`, {
    transaction: message.transaction ?? params.transaction,
    signatures: Object.fromEntries(
      message.submitted.map(({ signer, signature }) => [signer.replace(/^solana-keypair:/, ''), signature]),
    ),
    lastValidBlockHeight: BigInt(message.lastValidBlockHeight),
  })
  return { id, result }
}

const sendAll = async (
  deps: Deps,
  wallet: WalletRow,
  rows: readonly TransactionRow[],
  send: Send,
): Promise<void> => {
  const record = createRecorder(deps, wallet)
  const sent = rows.map(async (row) => record(await sendMessage(row, send)))
  // The first failure ends the job, but a key is erased only after all signing has ended.
  await Promise.allSettled(sent)
  await Promise.all(sent)
}

/** Ends the transactions that must not be sent any more, of those that are not signed yet. */
const refuseMessages = async (deps: Deps, wallet: WalletRow, channel: NonceChannel): Promise<void> => {
  const unsigned = and(isPendingIn(channel), isNull(walletTransactions.bundleId))
  await deps.db.transaction(async (tx) => {
    const rows = await tx.select().from(walletTransactions).where(unsigned).for('update')
    const refused = rows.flatMap((row): EndedTransaction[] => {
      const error = checkSanctions(deps, row)
      return error ? [{ id: row.id, result: { status: 'failed', error } }] : []
    })
    await recordResults(deps, tx, wallet, refused)
  })
}

/** Marks the pending transactions as started before they are signed, so that a refusal spares them. */
const takeMessages = async (
  deps: Deps,
  wallet: WalletRow,
  channel: NonceChannel,
): Promise<TransactionRow[]> => {
  await refuseMessages(deps, wallet, channel)
  const { db, randomBytes } = deps
  await db
    .update(walletTransactions)
    .set({ bundleId: createUuid(randomBytes) })
    .where(and(isPendingIn(channel), isNull(walletTransactions.bundleId)))
  return db
    .select()
    .from(walletTransactions)
    .where(isPendingIn(channel))
    .orderBy(asc(walletTransactions.sequence))
}

/** Sends the pending transactions of an account, all at once, because nothing on chain orders them. */
export const sendMessages = async (
  deps: Deps,
  { wallet, port }: MessageAccount,
  channel: NonceChannel,
): Promise<void> => {
  const rows = await takeMessages(deps, wallet, channel)
  if (!rows.length) return
  await withCustodialKey(deps, wallet, (privateKey) =>
    sendAll(deps, wallet, rows, (key, message) => port.send(key, { ...message, privateKey })),
  )
}

/** Sends the pending transactions of a smart wallet, in the same way. Its signer has signed them. */
export const sendProgramMessages = async (
  deps: Deps,
  { wallet, port }: { wallet: WalletRow; port: ProgramWalletPort },
  channel: NonceChannel,
): Promise<void> => {
  const rows = await takeMessages(deps, wallet, channel)
  await sendAll(deps, wallet, rows, (key, message) => port.send(key, message))
}

/** Ends a transaction that was not approved before its blockhash expired. Returns whether it has ended. */
export const expireMessage = async (
  deps: Deps,
  { wallet, port }: MessageAccount,
  { id, message }: TransactionRow,
): Promise<boolean> => {
  if (!message || !(await port.isExpired(BigInt(message.lastValidBlockHeight)))) return false
  await deps.db.transaction(async (tx) => {
    const [row] = await tx
      .select({ status: walletTransactions.status })
      .from(walletTransactions)
      .where(eq(walletTransactions.id, id))
      .for('update')
    if (row?.status !== 'awaiting-approval') return
    await recordResults(deps, tx, wallet, [{ id, result: { status: 'failed', error: approvedTooLate } }])
  })
  return true
}
