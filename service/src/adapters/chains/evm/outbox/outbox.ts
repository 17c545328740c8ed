import { createBatch } from '#base/lib/createBatch.js'
import type { WriteResult } from '#base/ports/write.js'
import { createBroadcast } from './broadcast.js'
import { createFinishWrite } from './createFinishWrite.js'
import { createSignWrite, type SignWrite } from './createSignWrite.js'
import { findWrite, findWrites } from './findWrites.js'
import { keepRefusal } from './keepRefusal.js'
import type { OutboxCall, SendTerms } from './outboxCall.js'
import { type OutboxOptions, type OutboxParts, toOutboxParts } from './outboxParts.js'
import { settleReopened } from './settleReopened.js'
import type { SignedWrite } from './shareTransactions.js'
import { toHex } from './signed.js'
import { type Refusal, refuse } from './toResult.js'

/** Sends each call once, however often it is requested. */
export type Outbox = {
  /**
   * Sends a call, or waits for the transaction already sent under this key. `makeCall` runs only if there is
   * none, and returns the call or a refusal.
   */
  send(key: string, makeCall: () => Promise<OutboxCall | Refusal>, terms?: SendTerms): Promise<WriteResult>
  /**
   * Records a refusal as the key's outcome for every caller, unless another outcome came first. Returns the
   * outcome that counts.
   */
  keepRefusal(key: string, refusal: Refusal): Promise<WriteResult>
  /** Resends what the chain has lost, as a development chain does when it is reset. */
  recover(): Promise<void>
  /**
   * Resends only if the chain has lost a transaction that had ended, or lacks an old one. Processes already
   * wait for all others. A transaction that had ended ends again once the chain has it.
   */
  recoverLost(): Promise<void>
}

const alone = ({ sharing: _, ...terms }: SendTerms): SendTerms => terms

/**
 * Keeps a queue of signed transactions in the database and sends each one until it is in a block.
 *
 * @param createSigning - Creates the function that signs its writes. Accounts sign several together.
 */
export const createOutbox = (
  options: OutboxOptions,
  createSigning: (parts: OutboxParts) => SignWrite = createSignWrite,
): Outbox => {
  const { db, chain } = options
  const parts = toOutboxParts(options)
  const broadcast = createBroadcast(parts)
  const signWrite = createSigning(parts)
  const finish = createFinishWrite(parts, broadcast)
  const findKnown = createBatch(async (keys: readonly string[]) => {
    const known = await findWrites(db, keys)
    return keys.map((key) => known.get(key) ?? { isApart: false })
  })

  const end = async (known: SignedWrite, terms: SendTerms = {}): Promise<WriteResult> => {
    if ('nonce' in known) {
      terms.onSigned?.()
      return finish(known, terms)
    }
    return 'calldata' in known
      ? refuse(known.reason, known.calldata ? toHex(known.calldata) : undefined)
      : known
  }

  return {
    send: async (callerKey, makeCall, terms = {}) => {
      const key = `${chain}:${callerKey}`
      const { outcome, isApart } = await findKnown(key)
      const signed = outcome ?? (await signWrite(key, makeCall, isApart ? alone(terms) : terms))
      const result = await end(signed, terms)
      if (result.status === 'succeeded' || !('nonce' in signed) || signed.key === key) return result
      // The transaction that it shared has failed, perhaps for another call's sake.
      return end((await findWrite(db, key)).outcome ?? (await signWrite(key, makeCall, alone(terms))), terms)
    },
    keepRefusal: async (callerKey, { reason, call }) => {
      const own = { chain, sender: parts.sender, key: `${chain}:${callerKey}` }
      return end(await keepRefusal(db, own, { reason, calldata: call?.calldata ?? null }))
    },
    recover: broadcast.sendMissing,
    recoverLost: async () => {
      await broadcast.sendLost()
      await settleReopened(parts)
    },
  }
}
