import { setTimeout as sleep } from 'node:timers/promises'
import {
  appendTransactionMessageInstructions,
  assertIsTransactionWithBlockhashLifetime,
  type Base64EncodedWireTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { memoizeAsync } from '#base/lib/memoizeAsync.js'
import { withNode } from '../connection/withNode.js'
import { createGuard, guardOf, guardSize } from './guard.js'
import { createMemo } from './memo.js'
import { createPriorityFee } from './priorityFee.js'
import type { SignedBytes } from './signedTransactions.js'
import type { OutboxOptions, Write } from './write.js'

/** How often a write is signed before its node must know the blockhash that it named itself. */
const maxSignings = 5

/** Creates the functions that sign writes with the fee payer's key. */
export const createSigning = ({ chain, rpc, feePayer, pollMs }: OutboxOptions) => {
  const ask = <Result>(work: () => Promise<Result>) => withNode(chain, work)

  const readGuardRent = memoizeAsync(
    () => ask(() => rpc.getMinimumBalanceForRentExemption(guardSize).send()),
    Number.POSITIVE_INFINITY,
    Date.now,
  )

  /** Signs a write with a new blockhash. */
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

  return { sign, signSimulated }
}

/** Signs writes. */
export type Signing = ReturnType<typeof createSigning>
