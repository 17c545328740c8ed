import { approvalSeconds, marginMs, reverted, toOwnNonce } from 'kassa/engine'
import type { Transaction as TransactionView } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Transaction } from '#base/db/database.js'
import { walletTransactions } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { toServiceError } from '#base/errors.js'
import { withMutex } from '#base/lib/withMutex.js'
import type { EncodedCall } from '#base/ports/calls.js'
import { isCustodial } from '#identity/wallets/kinds.js'
import type { SmartWalletOnChain } from '../actingWallet.js'
import { insertTransaction, type NewTransaction } from '../insertTransaction.js'
import {
  isPendingIn,
  type NonceChannel,
  readNextSequence,
  takeNonce,
  takeSequences,
} from '../nonceChannels.js'
import { withCustodialKey } from '../withCustodialKey.js'
import { costOf, gasCostOf } from './operationCost.js'
import { type Draft, prepareDraft, withNonce } from './prepareDraft.js'

/**
 * Checks that a wallet that pays for its own gas can pay for a transaction in addition to all its pending
 * ones. Without the check, the operator would pay for what the wallet cannot. The caller holds the channel's
 * lock.
 *
 * @throws {@link ServiceError} `reverted`.
 */
const assertAffordable = async (
  tx: Transaction,
  { calls, ...channel }: NonceChannel & { calls: readonly EncodedCall[] },
  { operation, spareWei }: Draft,
): Promise<void> => {
  if (gasCostOf(operation) === 0n) return
  const waiting = await tx
    .select({ operation: walletTransactions.operation, calls: walletTransactions.calls })
    .from(walletTransactions)
    .where(isPendingIn(channel))
  // The simulation covered it alone.
  if (!waiting.length) return
  const spokenFor = waiting.reduce((sum, row) => sum + costOf(row), 0n)
  const ownCost = costOf({ operation, calls })
  if (spareWei >= spokenFor + ownCost) return
  const reason = `the wallet holds ${spareWei} wei. Pending transactions may take up to ${spokenFor} of it, and this one may take ${ownCost}`
  const message = `The transaction reverted during execution: ${reason}`
  throw toServiceError(reverted({ message, revert: { type: 'wallet_authorization', reason } }))
}

/** An operation before it has its place in the channel. */
export type NewOperation = Omit<NewTransaction, 'sequence' | 'status' | 'operation' | 'operationHash'>

const createAwaiting = async (
  deps: Deps,
  call: Call,
  { wallet, port }: SmartWalletOnChain,
  fresh: NewOperation,
): Promise<TransactionView> => {
  const isSponsored = deps.config.sponsorsGas
  const deadline = Math.floor(deps.now() / 1000) + approvalSeconds
  const likely = toOwnNonce(await readNextSequence(deps.db, fresh), deadline)
  const draft = await prepareDraft(port, wallet, { calls: fresh.calls, nonce: likely, isSponsored })
  return deps.db.transaction(async (tx) => {
    const sequence = await takeSequences(tx, fresh, 1)
    const operation = withNonce(draft.operation, toOwnNonce(sequence, deadline))
    const operationHash = port.hash(operation)
    const startAfter = new Date(deadline * 1000 + marginMs)
    await deps.jobs.enqueue(tx, 'transactions.expire', { transactionId: fresh.id }, { startAfter })
    return insertTransaction(deps, call, tx, {
      ...fresh,
      sequence,
      operation,
      operationHash,
      status: 'awaiting-approval',
    })
  })
}

const createSigned = async (
  deps: Deps,
  call: Call,
  { wallet, port }: SmartWalletOnChain,
  fresh: NewOperation,
): Promise<TransactionView> => {
  const isSponsored = deps.config.sponsorsGas
  const nonce = await port.getNonce(wallet.address, 0n)
  const draft = await prepareDraft(port, wallet, { calls: fresh.calls, nonce, isSponsored })
  const write = async (privateKey: Uint8Array) => {
    const chainNonce = await port.getNonce(wallet.address, 0n)
    return deps.db.transaction(async (tx) => {
      const { sequence, nonce } = await takeNonce(tx, fresh, chainNonce)
      await assertAffordable(tx, fresh, draft)
      const unsigned = withNonce(draft.operation, nonce)
      const operationHash = port.hash(unsigned)
      const signature = await port.sign(privateKey, operationHash)
      const operation = { ...unsigned, signature }
      const submittedAt = new Date(deps.now()).toISOString()
      const submitted = { signer: fresh.signer, message: operationHash, signature, submittedAt }
      return insertTransaction(deps, call, tx, {
        ...fresh,
        sequence,
        operation,
        operationHash,
        submitted,
        status: 'pending',
      })
    })
  }
  // Callers wait for a place here, so that they do not hold a database connection meanwhile.
  return withMutex(`${fresh.walletId}:${fresh.chain}`, () => withCustodialKey(deps, wallet, write))
}

/**
 * Creates a smart wallet's transaction. If the service is the custodian, the transaction is signed and
 * pending; otherwise it awaits approval.
 *
 * @throws {@link ServiceError} `reverted`, `chain-unavailable`.
 */
export const createOperation = (
  deps: Deps,
  call: Call,
  on: SmartWalletOnChain,
  fresh: NewOperation,
): Promise<TransactionView> =>
  isCustodial(on.wallet) ? createSigned(deps, call, on, fresh) : createAwaiting(deps, call, on, fresh)
