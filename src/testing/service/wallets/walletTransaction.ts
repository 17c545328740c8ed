import { readTransfer } from '../../../engine/evm/readTransfer.js'
import { viewSentToken } from '../../../engine/wallet/viewSentToken.js'
import { type StoredMessage, viewTransaction } from '../../../engine/wallet/viewTransaction.js'
import type { SentToken, Transaction } from '../../../schema/transaction.js'
import { listCurrencies } from '../../network.js'
import type { CallTransaction, MessageTransaction, WalletTransaction } from '../testWorld.js'

/** Returns what a transaction sends if it sends one token and does nothing else. */
const readSentToken = ({ chain, calls: [call, ...others] }: CallTransaction): SentToken | undefined => {
  const transfer = call && !others.length ? readTransfer(call) : undefined
  return transfer && viewSentToken(transfer, { chain, currencies: listCurrencies(chain) })
}

const toStoredMessage = (transaction: MessageTransaction): StoredMessage => {
  const { message, signers, submitted, lastBlockHeight } = transaction
  return {
    message,
    signers: [...signers],
    submitted: [...submitted],
    lastValidBlockHeight: String(lastBlockHeight),
  }
}

const toStoredCalls = ({ calls, operation: made, submitted }: CallTransaction) => ({
  calls: calls.map(({ to, data, value }) => ({ to, data, value: String(value) })),
  operation: made?.operation ?? null,
  operationHash: made?.hash ?? null,
  submitted: submitted ?? null,
  message: null,
})

/** A transaction as the service shows it. */
export const viewWalletTransaction = (transaction: WalletTransaction): Transaction => {
  const { id, status, params, wallet, error = null, createdAtMs, completedAtMs, sentAs = null } = transaction
  const isCall = 'calls' in transaction
  // A transaction that is in no block has no id.
  const hasLanded = completedAtMs !== undefined && error?.reason !== 'failed_to_land_on_chain'
  const own = isCall
    ? toStoredCalls(transaction)
    : {
        calls: [],
        operation: null,
        operationHash: null,
        submitted: null,
        message: toStoredMessage(transaction),
      }
  const stored = {
    ...own,
    id,
    status,
    params,
    signer: wallet.adminSigner.locator,
    txId: hasLanded ? sentAs : null,
    error,
    createdAt: new Date(createdAtMs),
    completedAt: completedAtMs === undefined ? null : new Date(completedAtMs),
  }
  return viewTransaction(stored, { sendParams: isCall ? readSentToken(transaction) : undefined })
}
