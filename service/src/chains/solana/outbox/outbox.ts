import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Address,
  appendTransactionMessageInstructions,
  assertIsTransactionWithBlockhashLifetime,
  type Base64EncodedWireTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type Instruction,
  type KeyPairSigner,
  pipe,
  type Rpc,
  type Signature,
  type SolanaRpcApi,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import type { Database } from '../../../db/database.js'
import type { Log } from '../../../deps.js'
import { ServiceError } from '../../../errors.js'
import type { WriteOptions, WriteResult } from '../../../ports/write.js'
import { withNode } from '../connection/withNode.js'
import { explainFailure, readPreflight } from './explainFailure.js'
import { createMemo, findTrace } from './memo.js'
import { createPriorityFee } from './priorityFee.js'
import {
  findSigned,
  finishSigned,
  listAfter,
  replaceSigned,
  type SignedBytes,
  type SignedTransaction,
  storeRefusal,
  storeSigned,
} from './signedTransactions.js'

/** What an outbox needs: `commitment` says when a transaction counts as landed. */
export type OutboxOptions = {
  db: Database
  log: Log
  chain: string
  rpc: Rpc<SolanaRpcApi>
  /** Pays the fees. */
  feePayer: KeyPairSigner
  commitment: 'confirmed' | 'finalized'
  /** How often the node is asked. @units milliseconds */
  pollMs: number
}

/** Builds the instructions of a write. Other signers than the fee payer are in them. */
export type MakeInstructions = () => Promise<readonly Instruction[]>

/**
 * A write, and an account that few transactions name but its own, by which a write whose record is lost is found
 * again. Without one, the instructions themselves must fail the second time.
 */
export type Write = {
  makeInstructions: MakeInstructions
  trace: Address | undefined
  /** When this write counts as landed. @default the commitment of the outbox */
  commitment?: OutboxOptions['commitment']
}

/** How often the bytes are sent again while nothing is heard of them. @units requests for their status */
const resendEvery = 5
/** How many blocks a blockhash is valid for. */
const blockhashLifetime = 150n
/** How often a write is signed before its node must know the blockhash that it named itself. */
const maxSignings = 5

const toResult = ({ status, signature, slot, failure }: SignedTransaction): WriteResult => {
  if (status === 'succeeded') return { status, txId: signature }
  // A refused transaction was never sent, so it is in no block.
  return { status: 'failed', reason: failure ?? 'failed', ...(slot !== null && { txId: signature }) }
}

/**
 * Keeps signed transactions in the database, and sends each until it is in a block or can never be in one.
 * Only then are its instructions signed again, so that a write happens once however often it is requested.
 */
export const createOutbox = (options: OutboxOptions) => {
  const { db, log, chain, rpc, feePayer, pollMs } = options
  const ask = <Result>(work: () => Promise<Result>) => withNode(chain, work)

  const sign = async (key: string, makeInstructions: MakeInstructions): Promise<SignedBytes> => {
    const instructions = await makeInstructions()
    const fee = await ask(() => createPriorityFee(rpc, instructions))
    const { value: lifetime } = await ask(() => rpc.getLatestBlockhash({ commitment: 'confirmed' }).send())
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (empty) => setTransactionMessageFeePayerSigner(feePayer, empty),
      (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
      (dated) => appendTransactionMessageInstructions([...fee, ...instructions, createMemo(key)], dated),
    )
    const signed = await signTransactionMessageWithSigners(message)
    assertIsTransactionWithBlockhashLifetime(signed)
    return {
      signedTransaction: getBase64EncodedWireTransaction(signed),
      signature: getSignatureFromTransaction(signed),
      lastValidBlockHeight: lifetime.lastValidBlockHeight,
    }
  }

  const simulate = (bytes: SignedBytes) =>
    ask(() =>
      rpc
        .simulateTransaction(bytes.signedTransaction as Base64EncodedWireTransaction, {
          encoding: 'base64',
          commitment: 'confirmed',
          sigVerify: true,
        })
        .send(),
    )

  /**
   * Signs a write, and simulates it. The node may lose the block that the signature names in between, or answer
   * from another node that lacks it yet. Nothing was sent then, so the write is signed again with a newer blockhash.
   */
  const signSimulated = async (key: string, makeInstructions: MakeInstructions) => {
    for (let signings = 1; ; signings++) {
      const bytes = await sign(key, makeInstructions)
      const simulated = await simulate(bytes)
      if (simulated.value.err !== 'BlockhashNotFound' || signings === maxSignings) return { bytes, simulated }
      await sleep(pollMs)
    }
  }

  /** Sends bytes without a simulation, so that only blocks decide about them. */
  const broadcast = ({ signedTransaction }: SignedBytes) =>
    ask(() =>
      rpc
        .sendTransaction(signedTransaction as Base64EncodedWireTransaction, {
          encoding: 'base64',
          skipPreflight: true,
        })
        .send(),
    )

  const readStatus = async ({ signature }: SignedBytes) => {
    const { value, context } = await ask(() =>
      rpc.getSignatureStatuses([signature as Signature], { searchTransactionHistory: true }).send(),
    )
    const [found] = value
    const status = found ? { at: found.confirmationStatus, slot: found.slot, error: found.err } : undefined
    return { status, asOf: context.slot }
  }

  /** Returns the height of the oldest block that the node has, or `undefined` if the node does not show it. */
  const readFirstHeight = async (slot: bigint): Promise<bigint | undefined> => {
    const terms = { transactionDetails: 'none', rewards: false, maxSupportedTransactionVersion: 0 } as const
    const block = await ask(() => rpc.getBlock(slot, { ...terms, commitment: 'confirmed' }).send()).catch(
      (error) => {
        if (error instanceof ServiceError) throw error
        return null
      },
    )
    return block?.blockHeight ?? undefined
  }

  /**
   * Throws unless the node has every block that could include the bytes. A node that was restarted from a
   * snapshot lacks older blocks, and reports their transactions as unknown.
   */
  const assertHistory = async ({ lastValidBlockHeight, signature }: SignedBytes): Promise<void> => {
    const firstNeeded = lastValidBlockHeight - blockhashLifetime
    const firstSlot = await ask(() => rpc.getFirstAvailableBlock().send())
    // A height never exceeds its slot, so a low slot needs no second request.
    const firstHeight = firstSlot <= firstNeeded ? firstSlot : await readFirstHeight(firstSlot)
    if (firstHeight !== undefined && firstHeight <= firstNeeded) return
    const message = `The node of ${chain} lacks the blocks that could include ${signature}. Use a node with an older history.`
    throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 60 })
  }

  /**
   * Whether bytes can never land: the last block that could include them is final, and they are in none. The
   * second answer may come from another node, which must have that block too.
   */
  const isExpired = async (bytes: SignedBytes): Promise<boolean> => {
    const { blockHeight, absoluteSlot } = await ask(() =>
      rpc.getEpochInfo({ commitment: 'finalized' }).send(),
    )
    if (blockHeight <= bytes.lastValidBlockHeight) return false
    const { status, asOf } = await readStatus(bytes)
    if (status !== undefined || asOf < absoluteSlot) return false
    await assertHistory(bytes)
    return true
  }

  /** Waits until a transaction has landed. Returns `undefined` if it never will. */
  const awaitEnd = async (
    signed: SignedTransaction,
    commitment: OutboxOptions['commitment'],
  ): Promise<SignedTransaction | undefined> => {
    for (let asked = 1; ; asked++) {
      const { status } = await readStatus(signed)
      if (status?.at === 'finalized' || (status && status.at === commitment)) {
        const { slot, error } = status
        const failure = error === null ? null : await ask(() => explainFailure(rpc, signed.signature, error))
        return finishSigned(db, signed, { status: failure === null ? 'succeeded' : 'failed', slot, failure })
      }
      if (!status && (await isExpired(signed))) return undefined
      if (!status && asked % resendEvery === 0) await broadcast(signed)
      await sleep(pollMs)
    }
  }

  const settle = async (
    first: SignedTransaction,
    { makeInstructions, trace, commitment = options.commitment }: Write,
    terms: WriteOptions | undefined,
  ): Promise<WriteResult> => {
    let signed = first
    for (;;) {
      if (signed.status !== 'signed') return toResult(signed)
      await broadcast(signed)
      terms?.onSent?.()
      const ended = await awaitEnd(signed, commitment)
      if (ended) {
        signed = ended
        continue
      }
      const { key } = signed
      const done = trace && (await ask(() => findTrace(rpc, trace, key)))
      if (done !== undefined) return { status: 'succeeded', txId: done }
      log.warn(
        { chain, key: signed.key, signature: signed.signature },
        'a transaction expired; signing again',
      )
      signed = await replaceSigned(db, signed, await sign(signed.key, makeInstructions), terms?.assertDue)
    }
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
      const known = await findSigned(db, key)
      if (known) {
        terms?.onSigned?.()
        return settle(known, write, terms)
      }
      // The record of a write may be lost, and its effect is still on chain.
      const { trace } = write
      const done = trace && (await ask(() => findTrace(rpc, trace, key)))
      if (done !== undefined) return { status: 'succeeded', txId: done }
      const { bytes, simulated } = await signSimulated(key, write.makeInstructions)
      const refusal = readPreflight(chain, simulated)
      const row = { key, chain, assertDue: terms?.assertDue }
      // Another caller may have sent it meanwhile, so that the second execution fails.
      const stored =
        refusal === undefined
          ? await storeSigned(db, row, bytes)
          : await storeRefusal(db, row, { ...bytes, failure: refusal })
      terms?.onSigned?.()
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
      const signed = await storeSigned(db, row, bytes)
      terms?.onSigned?.()
      if (signed.status !== 'signed') return toResult(signed)
      await broadcast(signed)
      terms?.onSent?.()
      const ended =
        (await awaitEnd(signed, options.commitment)) ??
        (await finishSigned(db, signed, { status: 'failed', slot: null, failure: 'its blockhash expired' }))
      return toResult(ended)
    },
    /** Sends again what was in a confirmed block that the chain has lost since. */
    recover: async (): Promise<void> => {
      const finalSlot = await ask(() => rpc.getSlot({ commitment: 'finalized' }).send())
      for (const signed of await listAfter(db, chain, finalSlot)) {
        const { status } = await readStatus(signed)
        if (!status) await broadcast(signed)
      }
    },
  }
}

/** Writes to the chain once for each key. */
export type Outbox = ReturnType<typeof createOutbox>
