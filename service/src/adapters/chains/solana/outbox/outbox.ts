import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Address,
  appendTransactionMessageInstructions,
  assertIsTransactionWithBlockhashLifetime,
  type Base64EncodedWireTransaction,
  createTransactionMessage,
  fetchEncodedAccount,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type Instruction,
  type KeyPairSigner,
  pipe,
  type Rpc,
  type SolanaRpcApi,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import type { Database } from '#base/db/database.js'
import type { Log } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { memoizeAsync } from '#base/lib/memoizeAsync.js'
import type { WriteOptions, WriteResult } from '#base/ports/write.js'
import type { AskTogether } from '../connection/askTogether.js'
import { withNode } from '../connection/withNode.js'
import { explainFailure, readPreflight } from './explainFailure.js'
import { createGuard, guardOf, guardSize, isGuard, isGuardTaken } from './guard.js'
import { blockhashLifetime, createLandings, type Landing } from './landing.js'
import { createMemo, findTrace, type Trace } from './memo.js'
import { createPriorityFee } from './priorityFee.js'
import {
  findSigned,
  finishByEarlier,
  finishSigned,
  listAfter,
  listOpen,
  markExpired,
  replaceSigned,
  type SignedBytes,
  type SignedTransaction,
  storeEarlier,
  storeRefusal,
  storeSigned,
} from './signedTransactions.js'

/** What an outbox needs: `commitment` says when a transaction counts as landed. */
export type OutboxOptions = {
  db: Database
  log: Log
  chain: string
  rpc: Rpc<SolanaRpcApi>
  askTogether: AskTogether
  /** Pays the fees. */
  feePayer: KeyPairSigner
  commitment: 'confirmed' | 'finalized'
  /** How often the node is asked. @units milliseconds */
  pollMs: number
}

/** Builds the instructions of a write. Other signers than the fee payer are in them. */
export type MakeInstructions = () => Promise<readonly Instruction[]>

/** A write to the chain. */
export type Write = {
  makeInstructions: MakeInstructions
  /** An account that few other transactions name, by which a write whose record is lost is found again. */
  trace: Address | undefined
  /**
   * Whether the transaction creates a guard: an account that makes a second copy of the write fail. Instructions that
   * fail or change nothing the second time need none.
   */
  isGuarded: boolean
  /** When this write counts as landed. @default the commitment of the outbox */
  commitment?: OutboxOptions['commitment']
}

/** How often a write is signed before its node must know the blockhash that it named itself. */
const maxSignings = 5

const toResult = ({ status, signature, slot, failure }: SignedTransaction): WriteResult => {
  if (status === 'succeeded') return { status, txId: signature }
  // A refused transaction was never sent, so it is in no block.
  return { status: 'failed', reason: failure ?? 'failed', ...(slot !== null && { txId: signature }) }
}

/**
 * Keeps signed transactions in the database, and sends each until it is in a block or can never be in one.
 * Only then are its instructions signed again, so that a write happens once however often it is requested. If the
 * node was wrong about that, the guard of the write makes the second copy fail on chain.
 */
export const createOutbox = (options: OutboxOptions) => {
  const { db, log, chain, rpc, feePayer, pollMs } = options
  const { broadcast, readStatus, readFinal, findLanding, awaitLanding } = createLandings(options)
  const ask = <Result>(work: () => Promise<Result>) => withNode(chain, work)

  const readGuardRent = memoizeAsync(
    () => ask(() => rpc.getMinimumBalanceForRentExemption(guardSize).send()),
    Number.POSITIVE_INFINITY,
    Date.now,
  )

  const sign = async (key: string, { makeInstructions, isGuarded }: Write): Promise<SignedBytes> => {
    const guard = isGuarded ? guardOf(feePayer.address, key) : undefined
    const instructions = await makeInstructions()
    const guarding = guard ? createGuard(feePayer, guard, await readGuardRent()) : []
    const fee = await ask(() => createPriorityFee(rpc, instructions))
    const { value: lifetime } = await ask(() => rpc.getLatestBlockhash({ commitment: 'confirmed' }).send())
    const all = [...guarding, ...fee, ...instructions, createMemo(key)]
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (empty) => setTransactionMessageFeePayerSigner(feePayer, empty),
      (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
      (dated) => appendTransactionMessageInstructions(all, dated),
    )
    const signed = await signTransactionMessageWithSigners(message)
    assertIsTransactionWithBlockhashLifetime(signed)
    return {
      signedTransaction: getBase64EncodedWireTransaction(signed),
      signature: getSignatureFromTransaction(signed),
      lastValidBlockHeight: lifetime.lastValidBlockHeight,
      guard: guard?.address,
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
  const signSimulated = async (key: string, write: Write) => {
    for (let signings = 1; ; signings++) {
      const bytes = await sign(key, write)
      const simulated = await simulate(bytes)
      if (simulated.value.err !== 'BlockhashNotFound' || signings === maxSignings) return { bytes, simulated }
      await sleep(pollMs)
    }
  }

  /** Asserts that a write is due, while nothing that would change that is being recorded. */
  const requireDue = async (assertDue: WriteOptions['assertDue']): Promise<void> => {
    if (assertDue) await db.transaction(assertDue)
  }

  /**
   * Sends stored bytes if their write is still due. A write that is not due any more is only followed: an earlier
   * process may have sent the bytes, and they can land until their last block is final. If the write were given up
   * before, its money could be sent a second time by whatever takes its place.
   */
  const sendDue = async (signed: SignedTransaction, assertDue: WriteOptions['assertDue']): Promise<void> => {
    try {
      await requireDue(assertDue)
    } catch (err) {
      const { key, signature } = signed
      log.warn(
        { chain, key, signature, err },
        'a signed transaction is not due any more: it is only followed',
      )
      return
    }
    await broadcast(signed)
  }

  /** Sends stored bytes, and waits until they have landed. Returns `undefined` if they never will. */
  const sendStored = async (
    signed: SignedTransaction,
    commitment: OutboxOptions['commitment'],
    terms: WriteOptions | undefined,
  ): Promise<Landing | undefined> => {
    const send = () => sendDue(signed, terms?.assertDue)
    if (!signed.expiredAt) await send()
    terms?.onSent?.()
    return signed.expiredAt ? undefined : awaitLanding(signed, commitment, send)
  }

  const finishLanded = async (signed: SignedTransaction, { slot, error }: Landing) => {
    const failure = error === null ? null : await ask(() => explainFailure(rpc, signed.signature, error))
    return finishSigned(db, signed, { status: failure === null ? 'succeeded' : 'failed', slot, failure })
  }

  /**
   * Finds the transaction by which a write has happened already, under any of its attempts, and waits until it is as
   * final as the write asks for.
   */
  const findEarlier = async (
    key: string,
    {
      accounts,
      commitment = options.commitment,
    }: { accounts: readonly Address[] } & Pick<Write, 'commitment'>,
  ): Promise<Trace | undefined> => {
    for (;;) {
      let found: Trace | undefined
      for (const account of accounts) {
        found ??= await ask(() => findTrace(rpc, { account, key, feePayer: feePayer.address }))
      }
      if (!found || found.isFinal || commitment === 'confirmed') return found
      await sleep(pollMs)
    }
  }

  const createUnlisted = (guard: Address): ServiceError => {
    const message = `The account ${guard} on ${chain} says that a write has happened, and the node does not list its transaction. Use a node with an older history.`
    return new ServiceError('chain-unavailable', message, { retryAfterSeconds: 60 })
  }

  /** Throws if the guard of a write is there, so that the write has happened. */
  const assertUnguarded = async (guard: Address): Promise<void> => {
    const account = await ask(() => fetchEncodedAccount(rpc, guard, { commitment: 'confirmed' }))
    if (isGuard(account)) throw createUnlisted(guard)
  }

  const settle = async (
    first: SignedTransaction,
    write: Write,
    terms: WriteOptions | undefined,
  ): Promise<WriteResult> => {
    const { trace, isGuarded, commitment = options.commitment } = write
    const guard = isGuarded ? guardOf(feePayer.address, first.key).address : undefined
    const accounts = [guard, trace].filter((account) => account !== undefined)
    let signed = first
    for (;;) {
      if (signed.status !== 'signed') return toResult(signed)
      const landed = await sendStored(signed, commitment, terms)
      if (landed?.error === null) {
        signed = await finishLanded(signed, landed)
        continue
      }
      const earlier = await findEarlier(signed.key, { accounts, commitment })
      if (earlier) {
        await finishByEarlier(db, signed, earlier)
        return { status: 'succeeded', txId: earlier.signature }
      }
      if (landed) {
        if (guard !== undefined && signed.guard === guard && isGuardTaken(landed.error))
          throw createUnlisted(guard)
        signed = await finishLanded(signed, landed)
        continue
      }
      if (guard !== undefined) await assertUnguarded(guard)
      await requireDue(terms?.assertDue)
      log.warn(
        { chain, key: signed.key, signature: signed.signature },
        'a transaction expired; signing again',
      )
      signed = await replaceSigned(db, signed, await sign(signed.key, write), terms?.assertDue)
    }
  }

  /** Records the end of bytes that could land until a moment ago, if it is known without their write. */
  const finishOne = async (signed: SignedTransaction): Promise<void> => {
    const landed = await findLanding(signed, options.commitment)
    if (landed === undefined) return
    if (landed !== 'never' && landed.error === null) {
      await finishLanded(signed, landed)
      return
    }
    const { address: guard } = guardOf(feePayer.address, signed.key)
    const isGuarded = signed.guard === guard
    const earlier = isGuarded ? await findEarlier(signed.key, { accounts: [guard] }) : undefined
    if (earlier) await finishByEarlier(db, signed, earlier)
    // Also if the row of another attempt has the earlier transaction, so that this row is not looked at again.
    if (landed === 'never') await markExpired(db, signed)
    // Without a guard, only the write knows whether another transaction did the same before.
    else if (isGuarded && !earlier && !isGuardTaken(landed.error)) await finishLanded(signed, landed)
  }

  /** Where the last page of open transactions ended. */
  let openEnd: string | undefined

  const recordEarlier = async (
    key: string,
    { isGuarded }: Write,
    { signature, signedTransaction, slot }: Trace,
  ): Promise<WriteResult> => {
    // A height never exceeds its slot.
    const lastValidBlockHeight = slot + blockhashLifetime
    const guard = isGuarded ? guardOf(feePayer.address, key).address : undefined
    const bytes = { signature, signedTransaction, lastValidBlockHeight, guard }
    await storeEarlier(db, { key, chain }, { ...bytes, slot })
    return { status: 'succeeded', txId: signature }
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
      const traced = await findEarlier(key, { ...write, accounts: write.trace ? [write.trace] : [] })
      if (traced) return recordEarlier(key, write, traced)
      const { bytes, simulated } = await signSimulated(key, write)
      // Another caller may have stored and sent it meanwhile, so that the second execution fails.
      const sent = simulated.value.err === null ? undefined : await findSigned(db, key)
      if (sent) {
        terms?.onSigned?.()
        return settle(sent, write, terms)
      }
      if (write.isGuarded && isGuardTaken(simulated.value.err)) {
        const guard = guardOf(feePayer.address, key).address
        const earlier = await findEarlier(key, { ...write, accounts: [guard] })
        if (!earlier) throw createUnlisted(guard)
        return recordEarlier(key, write, earlier)
      }
      const refusal = readPreflight(chain, simulated, write.isGuarded)
      const row = { key, chain, assertDue: terms?.assertDue }
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
      const signed = (await findSigned(db, key)) ?? (await storeSigned(db, row, bytes))
      terms?.onSigned?.()
      if (signed.status !== 'signed') return toResult(signed)
      const landed = await sendStored(signed, options.commitment, terms)
      const expired = { status: 'failed', slot: null, failure: 'its blockhash expired' } as const
      return toResult(landed ? await finishLanded(signed, landed) : await finishSigned(db, signed, expired))
    },
    /** Sends again what was in a confirmed block that the chain has lost since. */
    recover: async (): Promise<void> => {
      const finalSlot = await ask(() => rpc.getSlot({ commitment: 'finalized' }).send())
      for (const signed of await listAfter(db, chain, finalSlot)) {
        const { status } = await readStatus(signed)
        if (!status) await broadcast(signed)
      }
    },
    /**
     * Looks at the next page of signed transactions whose last block is final, and records how each ended. Some have no
     * job any more, because they are no longer due, and a later write under the same key reads the record. Nothing is
     * sent or signed.
     */
    finishOpen: async (): Promise<void> => {
      const { blockHeight } = await readFinal()
      // The pages follow each other, so that transactions of which no node can tell keep none of the others waiting.
      const { page, end } = await listOpen(db, { chain, height: blockHeight, after: openEnd })
      openEnd = end
      for (const signed of page) {
        try {
          await finishOne(signed)
        } catch (err) {
          if (!(err instanceof ServiceError) || err.isOutage) throw err
          log.warn({ chain, key: signed.key, err }, 'it is not known yet what became of a signed transaction')
        }
      }
    },
  }
}

/** Writes to the chain once for each key. */
export type Outbox = ReturnType<typeof createOutbox>
