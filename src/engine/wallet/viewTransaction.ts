import type {
  SentToken,
  SubmittedApproval,
  Transaction,
  TransactionError,
  UserOperation,
} from '../../schema/transaction.js'
import type {
  EvmMpcWalletParams,
  EvmSmartWalletParams,
  SolanaMpcWalletParams,
  SolanaSmartWalletParams,
} from '../../schema/transactionInput.js'
import type { TransactionStatus } from '../../schema/walletMembers.js'
import { toSigner } from './messageSigners.js'

/** A transaction that is signed as it is. Block heights are decimal, because JSON has no bigint. */
export type StoredMessage = {
  /** The message that is signed. */
  message: string
  /** The addresses that sign beside the wallet. */
  signers: string[]
  submitted: SubmittedApproval[]
  /** The transaction whose message is signed, which executes that of the params. Only of smart wallets. */
  transaction?: string
  lastValidBlockHeight: string
}

/** A wallet's transaction as it is stored. Only transactions of its type have `operation` and `message`. */
export type StoredTransaction = {
  id: string
  status: TransactionStatus
  /** As the caller wrote them. */
  params: EvmSmartWalletParams | EvmMpcWalletParams | SolanaMpcWalletParams | SolanaSmartWalletParams
  calls: readonly { to: string; value: string; data: string }[]
  operation: UserOperation | null
  operationHash: string | null
  /** Locator of the signer that must approve. */
  signer: string
  submitted: SubmittedApproval | null
  message: StoredMessage | null
  /** The transaction on its chain, once it is in a block. */
  txId: string | null
  error: TransactionError | null
  createdAt: Date
  completedAt: Date | null
}

/** What a deployment adds to a transaction: the token that it sends, and pages about it. */
type TransactionLinks = {
  sendParams?: SentToken | undefined
  explorerLink?: string | undefined
  simulationLink?: string | undefined
}

/** Returns a smart wallet transaction's operation, and the hash that its signer signs. */
export const operationOf = ({
  operation,
  operationHash,
}: Pick<StoredTransaction, 'operation' | 'operationHash'>): { operation: UserOperation; hash: string } => {
  if (!operation || operationHash === null)
    throw new Error('a smart wallet’s transaction without an operation')
  return { operation, hash: operationHash }
}

/**
 * Any holder of a signed operation could send it, so the custodian's signature is shown only once it is on
 * chain.
 */
const isSecret = ({ signer, txId }: StoredTransaction): boolean =>
  txId === null && signer.startsWith('evm-kassa-custodial:')

const viewOperation = (stored: StoredTransaction) => {
  const { status, signer } = stored
  const { operation: signed, hash } = operationOf(stored)
  const hidden = isSecret(stored) && { signature: '0x' }
  const operation = { ...signed, ...hidden }
  const submitted = stored.submitted && { ...stored.submitted, ...hidden }
  return {
    approvals: {
      pending: status === 'awaiting-approval' ? [{ signer, message: hash }] : [],
      submitted: submitted ? [submitted] : [],
      required: 1,
    },
    onChain: { userOperation: operation, userOperationHash: hash },
  }
}

const viewMessage = ({ params, message, status }: StoredTransaction) => {
  if (!message || !('transaction' in params)) throw new Error('a transaction without its message')
  const { signers, submitted, lastValidBlockHeight } = message
  const waiting = signers
    .map(toSigner)
    .filter((signer) => status === 'awaiting-approval' && !submitted.some((one) => one.signer === signer))
  return {
    approvals: {
      pending: waiting.map((signer) => ({ signer, message: message.message })),
      submitted,
      required: signers.length,
    },
    onChain: {
      transaction: message.transaction ?? params.transaction,
      lastValidBlockHeight: Number(lastValidBlockHeight),
    },
  }
}

const viewCall = ({ calls: [call] }: StoredTransaction) => {
  if (!call) throw new Error('an account’s transaction without a call')
  const { to, data, value } = call
  return {
    approvals: { pending: [], submitted: [], required: 0 },
    onChain: { call: { to, data, ...(value !== '0' && { value }) } },
  }
}

const viewError = (
  error: TransactionError,
  { explorerLink, simulationLink }: TransactionLinks,
): TransactionError => {
  if (!error.revert) return error
  const revert = {
    ...error.revert,
    ...(explorerLink !== undefined && { explorerLink }),
    ...(simulationLink !== undefined && { simulationLink }),
  }
  return { ...error, revert }
}

/**
 * Converts a transaction to its wallet type's form in the interface.
 *
 * @source interface.md "Wallet transaction"; answers.md "Wallets and transactions"
 */
export const viewTransaction = (stored: StoredTransaction, links: TransactionLinks): Transaction => {
  const { id, status, params, txId, error, createdAt, completedAt } = stored
  const { sendParams, explorerLink } = links
  const landed = { ...(txId !== null && { txId }), ...(explorerLink !== undefined && { explorerLink }) }
  const ended = {
    ...(sendParams && { sendParams }),
    createdAt: createdAt.toISOString(),
    ...(completedAt && { completedAt: completedAt.toISOString() }),
    ...(error && status === 'failed' && { error: viewError(error, links) }),
  }
  if ('calls' in params) {
    const { approvals, onChain } = viewOperation(stored)
    const shown = { ...onChain, ...landed }
    return { id, walletType: 'evm-smart-wallet', status, params, onChain: shown, approvals, ...ended }
  }
  if ('transaction' in params) {
    const { approvals, onChain } = viewMessage(stored)
    const shown = { ...onChain, ...landed }
    const walletType = stored.message?.transaction === undefined ? 'solana-mpc-wallet' : 'solana-smart-wallet'
    return { id, walletType, status, params, onChain: shown, approvals, ...ended }
  }
  const { approvals, onChain } = viewCall(stored)
  const shown = { ...onChain, ...landed }
  return { id, walletType: 'evm-mpc-wallet', status, params, onChain: shown, approvals, ...ended }
}
