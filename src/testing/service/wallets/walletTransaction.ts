import { readTransfer } from '../../../engine/evm/readTransfer.js'
import { fromBaseUnits } from '../../../schema/baseUnits.js'
import { evmChains } from '../../../schema/chains.js'
import type { SentToken, Transaction } from '../../../schema/transaction.js'
import type { WalletTransaction } from '../testWorld.js'

const iso = (epochMs: number): string => new Date(epochMs).toISOString()

const viewOperation = ({ wallet, status, operation: made, submitted, completedAtMs }: WalletTransaction) => {
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

const viewCall = ({ calls: [call] }: WalletTransaction) => {
  if (!call) throw new Error('an account’s transaction without a call')
  const { to, data, value } = call
  return {
    approvals: { pending: [], submitted: [], required: 0 },
    onChain: { call: { to, data, ...(value && { value: String(value) }) } },
  }
}

/** Returns what a transaction sends if it sends one NFT or the native coin and does nothing else. */
const readSentToken = ({ chain, calls: [call, ...others] }: WalletTransaction): SentToken | undefined => {
  const transfer = call && !others.length ? readTransfer(call) : undefined
  if (!transfer) return undefined
  const { contract, tokenId, units, recipient } = transfer
  // The amount of a currency cannot be shown without its decimals.
  if (contract !== undefined && tokenId === undefined) return undefined
  const token = contract === undefined ? evmChains[chain].nativeCurrency : `${contract}:${tokenId}`
  const amount = contract === undefined ? fromBaseUnits(units, 18) : `${units}`
  return {
    token: `${chain}:${token}`,
    params: { amount, recipient: `${chain}:${recipient}`, recipientAddress: recipient },
  }
}

/** A transaction as the service shows it. */
export const viewWalletTransaction = (transaction: WalletTransaction): Transaction => {
  const { id, status, params, sentAs, error, createdAtMs, completedAtMs } = transaction
  const landed = completedAtMs !== undefined && sentAs !== undefined && { txId: sentAs }
  const sendParams = readSentToken(transaction)
  const ended = {
    ...(sendParams && { sendParams }),
    createdAt: iso(createdAtMs),
    ...(completedAtMs !== undefined && { completedAt: iso(completedAtMs) }),
    ...(error && { error }),
  }
  if ('calls' in params) {
    const { approvals, onChain } = viewOperation(transaction)
    const shown = { ...onChain, ...landed }
    return { id, walletType: 'evm-smart-wallet', status, params, onChain: shown, approvals, ...ended }
  }
  const { approvals, onChain } = viewCall(transaction)
  const shown = { ...onChain, ...landed }
  return { id, walletType: 'evm-mpc-wallet', status, params, onChain: shown, approvals, ...ended }
}
