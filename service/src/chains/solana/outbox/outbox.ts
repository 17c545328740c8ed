import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  address,
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
import type { WriteOptions, WriteResult } from '../../../ports/write.js'
import { withNode } from '../connection/withNode.js'
import { explainFailure, readPreflight } from './explainFailure.js'
import {
  findSigned,
  finishSigned,
  replaceSigned,
  type SignedBytes,
  type SignedTransaction,
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

const memoProgram = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')

/**
 * Creates the instruction that distinguishes a write from others. Without it, two refunds of one amount to one
 * payer could be the same transaction, which happens once.
 */
const createMemo = (key: string): Instruction => ({
  programAddress: memoProgram,
  data: new TextEncoder().encode(
    `kassa:${createHash('sha256').update(key).digest('base64url').slice(0, 22)}`,
  ),
})

/** How often the bytes are sent again while nothing is heard of them. @units requests for their status */
const resendEvery = 5

const toResult = ({ status, signature, failure }: SignedTransaction): WriteResult =>
  status === 'succeeded'
    ? { status, txId: signature }
    : { status: 'failed', reason: failure ?? 'failed', txId: signature }

/**
 * Keeps signed transactions in the database, and sends each until it is in a block or can never be in one.
 * Only then are its instructions signed again, so that a write happens once however often it is requested.
 */
export const createOutbox = ({ db, log, chain, rpc, feePayer, commitment, pollMs }: OutboxOptions) => {
  const ask = <Result>(work: () => Promise<Result>) => withNode(chain, work)

  const sign = async (key: string, makeInstructions: MakeInstructions): Promise<SignedBytes> => {
    const instructions = await makeInstructions()
    const { value: lifetime } = await ask(() => rpc.getLatestBlockhash({ commitment: 'confirmed' }).send())
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (empty) => setTransactionMessageFeePayerSigner(feePayer, empty),
      (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
      (dated) => appendTransactionMessageInstructions([...instructions, createMemo(key)], dated),
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
    const isThere =
      found?.confirmationStatus === 'finalized' ||
      (commitment === 'confirmed' && found?.confirmationStatus === 'confirmed')
    const status = found ? { isThere, slot: found.slot, error: found.err } : undefined
    return { status, asOf: context.slot }
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
    return status === undefined && asOf >= absoluteSlot
  }

  /** Waits until a transaction has landed. Returns `undefined` if it never will. */
  const awaitEnd = async (signed: SignedTransaction): Promise<SignedTransaction | undefined> => {
    for (let asked = 1; ; asked++) {
      const { status } = await readStatus(signed)
      if (status?.isThere) {
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
    makeInstructions: MakeInstructions,
    options: WriteOptions | undefined,
  ): Promise<WriteResult> => {
    let signed = first
    for (;;) {
      if (signed.status !== 'signed') return toResult(signed)
      await broadcast(signed)
      options?.onSent?.()
      const ended = await awaitEnd(signed)
      if (ended) {
        signed = ended
        continue
      }
      log.warn(
        { chain, key: signed.key, signature: signed.signature },
        'a transaction expired; signing again',
      )
      signed = await replaceSigned(db, signed, await sign(signed.key, makeInstructions), options?.assertDue)
    }
  }

  return {
    /**
     * Sends a write, or waits for the transaction already sent under this key.
     *
     * @returns `failed` without a `txId` if its simulation fails: then nothing was stored, and nothing sent.
     */
    send: async (
      callerKey: string,
      makeInstructions: MakeInstructions,
      options?: WriteOptions,
    ): Promise<WriteResult> => {
      const key = `${chain}:${callerKey}`
      const known = await findSigned(db, key)
      if (known) {
        options?.onSigned?.()
        return settle(known, makeInstructions, options)
      }
      const bytes = await sign(key, makeInstructions)
      const refusal = readPreflight(chain, await simulate(bytes))
      const other = refusal === undefined ? undefined : await findSigned(db, key)
      // Another caller may have sent it meanwhile, so that the second execution fails.
      if (refusal !== undefined && !other) return { status: 'failed', reason: refusal }
      const stored = other ?? (await storeSigned(db, { key, chain, assertDue: options?.assertDue }, bytes))
      options?.onSigned?.()
      return settle(stored, makeInstructions, options)
    },
  }
}
