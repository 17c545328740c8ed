import type { Transaction, UserOperation } from 'kassa/schema'
import { explorerOf } from '#base/config/explorerOf.js'
import type { Deps } from '#base/deps.js'
import { readSentToken } from './readSentToken.js'
import { simulationLink } from './simulationLink.js'
import type { TransactionRow } from './transaction.js'

/** Returns the transaction's explorer link. */
const linkTo = (
  { chains, config }: Pick<Deps, 'chains' | 'config'>,
  { chain, txId }: TransactionRow,
): string | undefined => {
  const isLocal = chains.get(chain)?.isLocal ?? false
  const explorer = explorerOf(config, { chain, isLocal })
  return txId === null || explorer === undefined ? undefined : `${explorer}/tx/${txId}`
}

/** Returns a smart wallet transaction's operation, and the hash that its signer signs. */
export const operationOf = ({
  operation,
  operationHash,
}: Pick<TransactionRow, 'operation' | 'operationHash'>): { operation: UserOperation; hash: string } => {
  if (!operation || operationHash === null)
    throw new Error('a smart wallet’s transaction without an operation')
  return { operation, hash: operationHash }
}

/**
 * Any holder of a signed operation could send it, so the custodian's signature is shown only once it is on
 * chain.
 */
const isSecret = ({ signer, txId }: TransactionRow): boolean =>
  txId === null && signer.startsWith('evm-kassa-custodial:')

const viewOperation = (row: TransactionRow) => {
  const { status, signer } = row
  const { operation: signed, hash } = operationOf(row)
  const hidden = isSecret(row) && { signature: '0x' }
  const operation = { ...signed, ...hidden }
  const submitted = row.submitted && { ...row.submitted, ...hidden }
  return {
    approvals: {
      pending: status === 'awaiting-approval' ? [{ signer, message: hash }] : [],
      submitted: submitted ? [submitted] : [],
      required: 1,
    },
    onChain: { userOperation: operation, userOperationHash: hash },
  }
}

/** Returns the address that acts: a smart wallet's own, or that of the key of an account. */
const addressOf = ({ operation, signer }: TransactionRow): string =>
  operation?.sender ?? signer.replace(/^evm-kassa-custodial:/, '')

const viewMessage = ({ params, message, status }: TransactionRow) => {
  if (!message || !('transaction' in params)) throw new Error('a transaction without its message')
  const { signers, submitted, lastValidBlockHeight } = message
  const waiting = signers
    .map((address) => `solana-keypair:${address}`)
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

const viewCall = ({ calls: [call] }: TransactionRow) => {
  if (!call) throw new Error('an account’s transaction without a call')
  const { to, data, value } = call
  return {
    approvals: { pending: [], submitted: [], required: 0 },
    onChain: { call: { to, data, ...(value !== '0' && { value }) } },
  }
}

/**
 * Converts a transaction to its wallet type's form in the interface.
 *
 * @source interface.md "Wallet transaction"; answers.md "Wallets and transactions"
 */
export const viewTransaction = (deps: Pick<Deps, 'chains' | 'config'>, row: TransactionRow): Transaction => {
  const { id, status, params, txId, error, createdAt, completedAt } = row
  const explorerLink = linkTo(deps, row)
  const landed = { ...(txId !== null && { txId }), ...(explorerLink !== undefined && { explorerLink }) }
  const chain = deps.chains.get(row.chain)
  const sendParams = chain && readSentToken(chain, row.calls)
  const page = simulationLink(deps.config, { chain: row.chain, from: addressOf(row), calls: row.calls })
  const links = {
    ...(explorerLink !== undefined && { explorerLink }),
    ...(page !== undefined && { simulationLink: page }),
  }
  const shownError = error && {
    ...error,
    ...(error.revert && { revert: { ...error.revert, ...links } }),
  }
  const ended = {
    ...(sendParams && { sendParams }),
    createdAt: createdAt.toISOString(),
    ...(completedAt && { completedAt: completedAt.toISOString() }),
    ...(shownError && status === 'failed' && { error: shownError }),
  }
  if ('calls' in params) {
    const { approvals, onChain } = viewOperation(row)
    const shown = { ...onChain, ...landed }
    return { id, walletType: 'evm-smart-wallet', status, params, onChain: shown, approvals, ...ended }
  }
  if ('transaction' in params) {
    const { approvals, onChain } = viewMessage(row)
    const shown = { ...onChain, ...landed }
    const walletType = row.message?.transaction === undefined ? 'solana-mpc-wallet' : 'solana-smart-wallet'
    return { id, walletType, status, params, onChain: shown, approvals, ...ended }
  }
  const { approvals, onChain } = viewCall(row)
  const shown = { ...onChain, ...landed }
  return { id, walletType: 'evm-mpc-wallet', status, params, onChain: shown, approvals, ...ended }
}
