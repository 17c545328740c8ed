import { eq } from 'drizzle-orm'
import { explainDisabled, isSameSigner, readMessageApprovals } from 'kassa/engine'
import type { SubmittedApproval, Transaction } from 'kassa/schema'
import type { Call } from '#base/call.js'
import { walletTransactions } from '#base/db/tables/index.js'
import type { StoredMessage } from '#base/db/tables/walletTransactions.js'
import type { Deps } from '#base/deps.js'
import { checkInput, ServiceError } from '#base/errors.js'
import type { MessagePort } from '#base/ports/messages.js'
import { requireMessages } from '../actingWallet.js'
import { describeClient } from '../describeClient.js'
import { lockTransaction, type TransactionRow } from '../transaction.js'
import { viewTransaction } from '../viewTransaction.js'
import { toSigner } from './createMessage.js'

type Given = { address: string; signature: string }

const readGiven = async (
  port: MessagePort,
  { message, signers }: StoredMessage,
  body: unknown,
): Promise<Given[]> => {
  const given: Given[] = []
  const { approvals } = checkInput(() => readMessageApprovals(body))
  for (const [at, { signer, signature }] of approvals.entries()) {
    const address = signers.find((each) => isSameSigner(toSigner(each), signer) || each === signer)
    const field = `approvals[${at}]`
    if (address === undefined || given.some((before) => before.address === address)) {
      const named = signers.map(toSigner).join(', ')
      const fault =
        address === undefined ? `not a signer of this transaction (${named})` : 'can approve only once'
      throw new ServiceError('input-invalid', `${field}.signer: ${fault}`)
    }
    if (!(await port.isSignature({ address, message, signature }))) {
      const fault = `not a signature of the message by ${address}`
      throw new ServiceError('input-invalid', `${field}.signature: ${fault}`)
    }
    given.push({ address, signature })
  }
  return given
}

const assertAwaited = ({ status }: TransactionRow): void => {
  if (status === 'awaiting-approval') return
  const message = `The transaction no longer awaits approval (${status})`
  throw new ServiceError('unprocessable', message)
}

/**
 * Records approvals of a transaction by others who sign it, and enqueues the send with the last one.
 *
 * @throws {@link ServiceError} `input-invalid` for another's signer or signature; `conflict` if a signer approved
 * already; `unprocessable` if no approval is needed any more.
 */
export const approveMessage = async (
  deps: Deps,
  call: Call,
  { known, body }: { known: TransactionRow & { message: StoredMessage }; body: unknown },
): Promise<Transaction> => {
  assertAwaited(known)
  const chain = deps.chains.get(known.chain)
  if (!chain)
    throw new ServiceError(
      'input-invalid',
      `transactionId: ${explainDisabled(known.chain, deps.chains.enabled)}`,
    )
  const given = await readGiven(requireMessages(chain), known.message, body)
  const metadata = describeClient(call.client)
  const submittedAt = new Date(deps.now()).toISOString()
  return deps.db.transaction(async (tx) => {
    const locked = await lockTransaction(tx, known)
    assertAwaited(locked)
    const stored = locked.message ?? known.message
    const added = given.map(({ address, signature }, at): SubmittedApproval => {
      const signer = toSigner(address)
      if (stored.submitted.some((before) => before.signer === signer)) {
        throw new ServiceError('conflict', `approvals[${at}].signer: has already submitted its approval`)
      }
      return { signer, message: stored.message, signature, submittedAt, ...(metadata && { metadata }) }
    })
    const submitted = [...stored.submitted, ...added]
    const isComplete = submitted.length === stored.signers.length
    const [row] = await tx
      .update(walletTransactions)
      .set({ message: { ...stored, submitted }, ...(isComplete && { status: 'pending' }) })
      .where(eq(walletTransactions.id, known.id))
      .returning()
    if (!row) throw new Error('a transaction is gone')
    const { walletId, chain: name } = known
    if (isComplete) await deps.jobs.enqueue(tx, 'transactions.send', { walletId, chain: name })
    const answer = viewTransaction(deps, row)
    await call.complete(tx, { status: 201, body: answer })
    return answer
  })
}
