import { isAddressEqual } from 'viem'
import { createTransactionBatch } from '#base/db/transactTogether.js'
import { memoizeAsync } from '#base/lib/memoizeAsync.js'
import type { WriteResult } from '#base/ports/write.js'
import { abandonSigned } from './abandonSigned.js'
import { awaitReceipt } from './awaitReceipt.js'
import { type createBroadcast, explainUndue } from './broadcast.js'
import { explainEnd } from './explainEnd.js'
import { finishAll } from './finishSigned.js'
import type { SendTerms } from './outboxCall.js'
import type { OutboxParts } from './outboxParts.js'
import { isShared } from './sharedCalls.js'
import { readSignedCall, signCall } from './signCall.js'
import { renewNonce, type SignedTransaction } from './signed.js'
import { toResult } from './toResult.js'

/** The reason of a call that ended without word of whether it landed. */
export const untoldReason = 'the node shows neither this transaction nor the one that used its nonce'

/** Sends a signed transaction, unless it has ended, and waits until it is final. */
export type FinishWrite = (signed: SignedTransaction, terms: SendTerms) => Promise<WriteResult>

const giveUp = (
  { db, log, chain }: OutboxParts,
  signed: SignedTransaction,
  reason = 'its nonce was used by another transaction',
): Promise<SignedTransaction> => {
  const { key, nonce } = signed
  log.error({ chain, key, nonce, reason }, 'the nonce was used elsewhere; giving it up')
  return abandonSigned(db, signed, reason)
}

/**
 * Signs the same call with a new nonce, since the old one can never land. If the old one landed after all,
 * the contracts' guards (payout ids, token ids, salts) would make the second one revert. A call that is no
 * longer due is given up.
 */
const signAgain = async (parts: OutboxParts, signed: SignedTransaction): Promise<SignedTransaction> => {
  const { db, log, client, chain, sender: address } = parts
  const undue = await explainUndue(parts, signed)
  if (undue !== undefined) return giveUp(parts, signed, undue)
  log.warn({ chain, key: signed.key, nonce: signed.nonce }, 'the nonce was used elsewhere; signing again')
  const call = readSignedCall(signed)
  const chainNonce = await client.getTransactionCount({ address, blockTag: 'pending' })
  return renewNonce(db, { stale: signed, chainNonce }, (nonce) => signCall(parts, call, nonce))
}

/** Shares the wait for a shared transaction between all of this process that wait for it. */
const shareWaits = (wait: FinishWrite): FinishWrite => {
  const waiting = new Map<string, { result: Promise<WriteResult>; hear(terms: SendTerms): void }>()
  return (signed, terms) => {
    const known = waiting.get(signed.key)
    if (known) {
      known.hear(terms)
      return known.result
    }
    const all = [terms]
    const told: { isSent: boolean; sent?: string; landed?: string } = { isSent: false }
    const onSent = (): void => {
      told.isSent = true
      for (const each of all) each.onSent?.()
    }
    const onBroadcast = (txId: string): void => {
      told.sent = txId
      for (const each of all) each.onBroadcast?.(txId)
    }
    const onLanded = (txId: string): void => {
      told.landed = txId
      for (const each of all) each.onLanded?.(txId)
    }
    const hear = (later: SendTerms): void => {
      all.push(later)
      if (told.isSent) later.onSent?.()
      if (told.sent !== undefined) later.onBroadcast?.(told.sent)
      if (told.landed !== undefined) later.onLanded?.(told.landed)
    }
    const result = wait(signed, { onSent, onBroadcast, onLanded }).finally(() => waiting.delete(signed.key))
    waiting.set(signed.key, { result, hear })
    return result
  }
}

/** Creates the function that brings the signed transactions of one sender to their end. */
export const createFinishWrite = (
  parts: OutboxParts,
  { send, sendMissing, isRefused }: ReturnType<typeof createBroadcast>,
): FinishWrite => {
  const { db, sender } = parts
  // Many callers may wait for missing transactions at once, and one resend serves them all.
  const resend = memoizeAsync(sendMissing, 0, () => performance.now())
  // Those that a block has included end together.
  const recordEnd = createTransactionBatch(db, finishAll)

  const wait: FinishWrite = async (signed, terms) => {
    await send(signed)
    terms.onSent?.()
    terms.onBroadcast?.(signed.txId)
    const { isGuarded = true, mayEndUnknown = false } = terms
    const waiting = { ...parts, isGuarded, mayEndUnknown, isRefused, sendMissing: resend }
    const end = await awaitReceipt(waiting, signed, ({ status, to, transactionHash }) => {
      // A transaction of the sender to itself stands in the place of one that was given up.
      const hasEffect = status === 'success' && !(to && isAddressEqual(to, sender))
      if (hasEffect) terms.onLanded?.(transactionHash)
    })
    if ('nonceUse' in end) {
      if (end.nonceUse === 'untold') return finish(await giveUp(parts, end.signed, untoldReason), terms)
      return finish(await (isGuarded ? signAgain : giveUp)(parts, end.signed), terms)
    }
    terms.onFinal?.(end)
    const revertReason = await explainEnd({ ...parts, explain: terms.explain ?? parts.explain }, signed, end)
    const { transactionHash: txId, blockNumber } = end
    return toResult(await recordEnd({ signed, end: { txId, blockNumber, revertReason } }))
  }
  const waitTogether = shareWaits(wait)
  const finish: FinishWrite = async (signed, terms) => {
    if (signed.status !== 'signed') return toResult(signed)
    return isShared(signed) ? waitTogether(signed, terms) : wait(signed, terms)
  }
  return finish
}
