import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, fetchEncodedAccount } from '@solana/kit'
import { ServiceError } from '#base/errors.js'
import type { WriteResult } from '#base/ports/write.js'
import { withNode } from '../connection/withNode.js'
import { guardOf, isGuard } from './guard.js'
import { blockhashLifetime } from './landing.js'
import { findTrace, type Trace } from './memo.js'
import { storeEarlier } from './signedTransactions.js'
import type { OutboxOptions, Write } from './write.js'

/**
 * Finds the transaction by which a write has happened already, under any of its attempts, and waits until it is as
 * final as the write asks for.
 */
export const findEarlier = async (
  { chain, rpc, feePayer, pollMs, ...options }: OutboxOptions,
  key: string,
  { accounts, commitment = options.commitment }: { accounts: readonly Address[] } & Pick<Write, 'commitment'>,
): Promise<Trace | undefined> => {
  for (;;) {
    let found: Trace | undefined
    for (const account of accounts) {
      found ??= await withNode(chain, () => findTrace(rpc, { account, key, feePayer: feePayer.address }))
    }
    if (!found || found.isFinal || commitment === 'confirmed') return found
    await sleep(pollMs)
  }
}

/** Creates the error of a write that has happened, as its guard shows, by a transaction that the node does not list. */
export const createUnlisted = (chain: string, guard: Address): ServiceError => {
  const message = `The account ${guard} on ${chain} says that a write has happened, and the node does not list its transaction. Use a node with an older history.`
  return new ServiceError('chain-unavailable', message, { retryAfterSeconds: 60 })
}

/** Throws if the guard of a write is there, so that the write has happened. */
export const assertUnguarded = async ({ chain, rpc }: OutboxOptions, guard: Address): Promise<void> => {
  const account = await withNode(chain, () => fetchEncodedAccount(rpc, guard, { commitment: 'confirmed' }))
  if (isGuard(account)) throw createUnlisted(chain, guard)
}

/** Records the transaction by which a write without a record has happened. */
export const recordEarlier = async (
  { db, chain, feePayer }: OutboxOptions,
  { key, isGuarded }: { key: string } & Pick<Write, 'isGuarded'>,
  { signature, signedTransaction, slot }: Trace,
): Promise<WriteResult> => {
  // A height never exceeds its slot.
  const lastValidBlockHeight = slot + blockhashLifetime
  const guard = isGuarded ? guardOf(feePayer.address, key).address : undefined
  const bytes = { signature, signedTransaction, lastValidBlockHeight, guard }
  await storeEarlier(db, { key, chain }, { ...bytes, slot })
  return { status: 'succeeded', txId: signature }
}
