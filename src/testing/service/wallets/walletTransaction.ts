import { readTransfer } from '../../../engine/evm/readTransfer.js'
import { viewSentToken } from '../../../engine/wallet/viewSentToken.js'
import type { SentToken, Transaction } from '../../../schema/transaction.js'
import { listCurrencies } from '../../network.js'
import type { CallTransaction, MessageTransaction, WalletTransaction } from '../testWorld.js'
import { toSigner } from './messages/createMessage.js'

const iso = (epochMs: number): string => new Date(epochMs).toISOString()

const viewOperation = ({ wallet, status, operation: made, submitted, completedAtMs }: CallTransaction) => {
  if (!made) throw new Error('a smart wallet’s transaction without an operation')
  const { operation, hash } = made
  // Any caller could broadcast a signed transaction, so the custodian's signature is hidden until it is on
  // chain.
  const hidden = wallet.custodian && completedAtMs === undefined && { signature: '0x' }
  return {
    approvals: {
      pending: status === 'awaiting-approval' ? [{ signer: wallet.adminSigner.locator, message: hash }] : [],
      submitted: submitted ? [{ ...submitted, ...hidden }] : [],
      required: 1,
    },
    onChain: { userOperation: { ...operation, ...hidden }, userOperationHash: hash },
  }
}

const viewCall = ({ calls: [call] }: CallTransaction) => {
  if (!call) throw new Error('an account’s transaction without a call')
  const { to, data, value } = call
  return {
    approvals: { pending: [], submitted: [], required: 0 },
    onChain: { call: { to, data, ...(value && { value: String(value) }) } },
  }
}

/** Returns what a transaction sends if it sends one token and does nothing else. */
const readSentToken = ({ chain, calls: [call, ...others] }: CallTransaction): SentToken | undefined => {
  const transfer = call && !others.length ? readTransfer(call) : undefined
  return transfer && viewSentToken(transfer, { chain, currencies: listCurrencies(chain) })
}

const viewEnd = ({ error, createdAtMs, completedAtMs }: WalletTransaction) => ({
  createdAt: iso(createdAtMs),
  ...(completedAtMs !== undefined && { completedAt: iso(completedAtMs) }),
  ...(error && { error }),
})

const viewMessage = (transaction: MessageTransaction): Transaction => {
  const { id, status, params, message, signers, submitted, sentAs, lastBlockHeight } = transaction
  const { completedAtMs, error } = transaction
  const waiting = signers
    .map(toSigner)
    .filter((signer) => status === 'awaiting-approval' && !submitted.some((one) => one.signer === signer))
  // A transaction that is in no block has no id.
  const hasLanded = completedAtMs !== undefined && error?.reason !== 'failed_to_land_on_chain'
  return {
    id,
    walletType: 'solana-mpc-wallet',
    status,
    params,
    onChain: {
      transaction: params.transaction,
      lastValidBlockHeight: Number(lastBlockHeight),
      ...(hasLanded && sentAs !== undefined && { txId: sentAs }),
    },
    approvals: {
      pending: waiting.map((signer) => ({ signer, message })),
      submitted: [...submitted],
      required: signers.length,
    },
    ...viewEnd(transaction),
  }
}

/** A transaction as the service shows it. */
export const viewWalletTransaction = (transaction: WalletTransaction): Transaction => {
  if ('message' in transaction) return viewMessage(transaction)
  const { id, status, params, sentAs, completedAtMs } = transaction
  const landed = completedAtMs !== undefined && sentAs !== undefined && { txId: sentAs }
  const sendParams = readSentToken(transaction)
  const ended = { ...(sendParams && { sendParams }), ...viewEnd(transaction) }
  if ('calls' in params) {
    const { approvals, onChain } = viewOperation(transaction)
    const shown = { ...onChain, ...landed }
    return { id, walletType: 'evm-smart-wallet', status, params, onChain: shown, approvals, ...ended }
  }
  const { approvals, onChain } = viewCall(transaction)
  const shown = { ...onChain, ...landed }
  return { id, walletType: 'evm-mpc-wallet', status, params, onChain: shown, approvals, ...ended }
}
