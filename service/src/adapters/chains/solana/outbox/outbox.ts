import type { WriteOptions, WriteResult } from '#base/ports/write.js'
import { createUnlisted, findEarlier, recordEarlier } from './earlierWrites.js'
import { readPreflight } from './explainFailure.js'
import { createFinishOpen, recoverLost } from './finishOpen.js'
import { guardOf, isGuardTaken } from './guard.js'
import { finishLanded, sendStored, settleWrite, toResult } from './settleWrites.js'
import {
  findSigned,
  finishSigned,
  type SignedBytes,
  type SignedTransaction,
  storeRefusal,
  storeSigned,
} from './signedTransactions.js'
import { createSigning } from './signWrites.js'
import type { OutboxOptions, Write } from './write.js'

/**
 * Keeps signed transactions in the database, and sends each until it is in a block or can never be in one.
 * Only then are its instructions signed again, so that a write happens once however often it is requested. If the
 * node was wrong about that, the guard of the write makes the second copy fail on chain.
 */
export const createOutbox = (options: OutboxOptions) => {
  const { db, chain, feePayer, commitment } = options
  const { sign, signSimulated } = createSigning(options)

  const settle = (signed: SignedTransaction, write: Write, terms: WriteOptions | undefined) => {
    terms?.onSigned?.()
    return settleWrite({ ...options, sign }, signed, { write, terms })
  }

  return {
    /**
     * Sends a write, or waits for the transaction already sent under this key.
     *
     * @returns `failed` without a `txId` if its simulation fails: then nothing was sent, and nothing will be
     * under this key.
     */
    send: async (callerKey: string, write: Write, terms?: WriteOptions): Promise<WriteResult> => {
      const key = `${chain}:${callerKey}`
      const { trace, isGuarded } = write
      const known = await findSigned(db, key)
      if (known) return settle(known, write, terms)
      // The record of a write may be lost, and its effect is still on chain.
      const traced = await findEarlier(options, key, { ...write, accounts: trace ? [trace] : [] })
      if (traced) return recordEarlier(options, { key, isGuarded }, traced)
      const { bytes, simulated } = await signSimulated(key, write)
      // Another caller may have stored and sent it meanwhile, so that the second execution fails.
      const sent = simulated.value.err === null ? undefined : await findSigned(db, key)
      if (sent) return settle(sent, write, terms)
      if (isGuarded && isGuardTaken(simulated.value.err)) {
        const guard = guardOf(feePayer.address, key).address
        const earlier = await findEarlier(options, key, { ...write, accounts: [guard] })
        if (!earlier) throw createUnlisted(chain, guard)
        return recordEarlier(options, { key, isGuarded }, earlier)
      }
      const refusal = readPreflight(chain, simulated, isGuarded)
      const row = { key, chain, assertDue: terms?.assertDue }
      const stored =
        refusal === undefined
          ? await storeSigned(db, row, bytes)
          : await storeRefusal(db, row, { ...bytes, failure: refusal })
      return settle(stored, write, terms)
    },
    /**
     * Sends bytes that are never signed again, because their signers chose their blockhash.
     *
     * @returns `failed` without a `txId` if they can never land.
     */
    sendSigned: async (callerKey: string, bytes: SignedBytes, terms?: WriteOptions): Promise<WriteResult> => {
      const key = `${chain}:${callerKey}`
      const row = { key, chain, assertDue: terms?.assertDue }
      const signed = (await findSigned(db, key)) ?? (await storeSigned(db, row, bytes))
      terms?.onSigned?.()
      if (signed.status !== 'signed') return toResult(signed)
      const landed = await sendStored(options, signed, { commitment, terms })
      const expired = { status: 'failed', slot: null, failure: 'its blockhash expired' } as const
      return toResult(
        landed ? await finishLanded(options, signed, landed) : await finishSigned(db, signed, expired),
      )
    },
    recover: (): Promise<void> => recoverLost(options),
    finishOpen: createFinishOpen(options),
  }
}

/** Writes to the chain once for each key. */
export type Outbox = ReturnType<typeof createOutbox>
