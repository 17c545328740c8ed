import type { WriteOptions, WriteResult } from '#base/ports/write.js'
import { withNode } from '../connection/withNode.js'
import { assertUnguarded, createUnlisted, findEarlier } from './earlierWrites.js'
import { explainFailure } from './explainFailure.js'
import { guardOf, isGuardTaken } from './guard.js'
import { awaitLanding, broadcast, type Landing } from './landing.js'
import { finishByEarlier, finishSigned, replaceSigned, type SignedTransaction } from './signedTransactions.js'
import type { Signing } from './signWrites.js'
import type { Commitment, OutboxOptions, Write } from './write.js'

/** Returns how a write has ended, from its record. */
export const toResult = ({ status, signature, slot, failure }: SignedTransaction): WriteResult => {
  if (status === 'succeeded') return { status, txId: signature }
  // A refused transaction was never sent, so it is in no block.
  return { status: 'failed', reason: failure ?? 'failed', ...(slot !== null && { txId: signature }) }
}

/** Asserts that a write is due, while nothing that would change that is being recorded. */
const requireDue = async ({ db }: OutboxOptions, assertDue: WriteOptions['assertDue']): Promise<void> => {
  if (assertDue) await db.transaction(assertDue)
}

/**
 * Sends stored bytes if their write is still due. A write that is not due any more is only followed: an earlier
 * process may have sent the bytes, and they can land until their last block is final. If the write were given up
 * before, its money could be sent a second time by whatever takes its place.
 */
const sendDue = async (
  outbox: OutboxOptions,
  signed: SignedTransaction,
  assertDue: WriteOptions['assertDue'],
): Promise<void> => {
  try {
    await requireDue(outbox, assertDue)
  } catch (err) {
    const { key, signature } = signed
    outbox.log.warn(
      { chain: outbox.chain, key, signature, err },
      'a signed transaction is not due any more: it is only followed',
    )
    return
  }
  await broadcast(outbox, signed)
}

/** Sends stored bytes, and waits until they have landed. Returns `undefined` if they never will. */
export const sendStored = async (
  outbox: OutboxOptions,
  signed: SignedTransaction,
  { commitment, terms }: { commitment: Commitment; terms: WriteOptions | undefined },
): Promise<Landing | undefined> => {
  const sendAgain = () => sendDue(outbox, signed, terms?.assertDue)
  if (!signed.expiredAt) await sendAgain()
  terms?.onSent?.()
  return signed.expiredAt ? undefined : awaitLanding(outbox, signed, { commitment, sendAgain })
}

/** Records that a transaction is in a block, and why it failed there. */
export const finishLanded = async (
  { db, chain, rpc }: OutboxOptions,
  signed: SignedTransaction,
  { slot, error }: Landing,
): Promise<SignedTransaction> => {
  const failure =
    error === null ? null : await withNode(chain, () => explainFailure(rpc, signed.signature, error))
  return finishSigned(db, signed, { status: failure === null ? 'succeeded' : 'failed', slot, failure })
}

/**
 * Sends a stored write until it has happened or failed. Bytes that can never land are replaced by newly signed ones,
 * unless the write has happened by an earlier transaction.
 */
export const settleWrite = async (
  outbox: OutboxOptions & Pick<Signing, 'sign'>,
  first: SignedTransaction,
  { write, terms }: { write: Write; terms: WriteOptions | undefined },
): Promise<WriteResult> => {
  const { db, log, chain, feePayer } = outbox
  const { trace, isGuarded, commitment = outbox.commitment } = write
  const guard = isGuarded ? guardOf(feePayer.address, first.key).address : undefined
  const accounts = [guard, trace].filter((account) => account !== undefined)
  let signed = first
  for (;;) {
    if (signed.status !== 'signed') return toResult(signed)
    const landed = await sendStored(outbox, signed, { commitment, terms })
    if (landed?.error === null) {
      signed = await finishLanded(outbox, signed, landed)
      continue
    }
    const earlier = await findEarlier(outbox, signed.key, { accounts, commitment })
    if (earlier) {
      await finishByEarlier(db, signed, earlier)
      return { status: 'succeeded', txId: earlier.signature }
    }
    if (landed) {
      if (guard !== undefined && signed.guard === guard && isGuardTaken(landed.error))
        throw createUnlisted(chain, guard)
      signed = await finishLanded(outbox, signed, landed)
      continue
    }
    if (guard !== undefined) await assertUnguarded(outbox, guard)
    await requireDue(outbox, terms?.assertDue)
    log.warn({ chain, key: signed.key, signature: signed.signature }, 'a transaction expired; signing again')
    signed = await replaceSigned(db, signed, await outbox.sign(signed.key, write), terms?.assertDue)
  }
}
