import { createHash } from 'node:crypto'
import {
  type Address,
  type GetSignaturesForAddressApi,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Instruction,
  type Rpc,
  type Signature,
  type SolanaRpcApi,
} from '@solana/kit'
import { getAddMemoInstruction } from '@solana-program/memo'
import { ServiceError } from '#base/errors.js'
import { firstKey } from '#base/ports/write.js'
import { isUnsupportedVersion } from '../connection/isUnsupportedVersion.js'

/** The beginning of the memos of the service. */
export const memoMark = 'kassa:'

/** Returns the memo of a write. It does not reveal the key. */
const memoOf = (key: string): string =>
  `${memoMark}${createHash('sha256').update(key).digest('base64url').slice(0, 22)}`

/**
 * Creates the instruction that distinguishes a write from others. Without it, two refunds of one amount to one
 * payer could be the same transaction, which happens once.
 */
export const createMemo = (key: string): Instruction => getAddMemoInstruction({ memo: memoOf(key) })

/** Attempts at one write are few: see `attemptKey`. */
const maxAttempts = 100

const attemptsOf = (key: string): string[] => {
  const first = firstKey(key)
  return [first, ...Array.from({ length: maxAttempts }, (_, at) => `${first}#${at + 2}`)]
}

/** More attempts at one write than the service makes within an hour. */
const likelyAttempts = 8

/**
 * Returns the memos that a write may have. The first token of a line item is minted under the key of the line item.
 *
 * @param key - The key without the chain.
 */
export const referencesOf = (chain: string, key: string): string[] => {
  const keys = key.startsWith('mint:') && key.endsWith(':0') ? [key, key.slice(0, -2)] : [key]
  return keys.flatMap((one) => attemptsOf(`${chain}:${one}`).slice(0, likelyAttempts).map(memoOf))
}

const pageSize = 1_000

type SignaturePage = ReturnType<GetSignaturesForAddressApi['getSignaturesForAddress']>

/** A transaction in a block, as the node shows it. */
type Shown = { signedTransaction: string; logs: string }

const readTransaction = async (rpc: Rpc<SolanaRpcApi>, signature: Signature): Promise<Shown | null> => {
  const found = await rpc
    .getTransaction(signature, {
      commitment: 'confirmed',
      encoding: 'base64',
      maxSupportedTransactionVersion: 0,
    })
    .send()
  // The memo program logs its text too.
  return found && { signedTransaction: found.transaction[0], logs: found.meta?.logMessages?.join('\n') ?? '' }
}

const isPaidBy = (feePayer: Address, signedTransaction: string): boolean => {
  const { messageBytes } = getTransactionDecoder().decode(getBase64Encoder().encode(signedTransaction))
  return getCompiledTransactionMessageDecoder().decode(messageBytes).staticAccounts[0] === feePayer
}

/** A transaction by which a write has happened. */
export type Trace = { signature: string; signedTransaction: string; slot: bigint; isFinal: boolean }

/** The write to find: `account` is one that its transaction names, `feePayer` is who signed it. */
export type TraceQuery = { account: Address; key: string; feePayer: Address }

/**
 * Finds the transaction of any attempt at a write among those that name an account, by its memo. A stranger can
 * write the same memo, so that only a transaction of the fee payer counts.
 *
 * @returns `undefined` if none succeeded.
 * @throws {ServiceError} `chain-unavailable` if the node lists a transaction with the memo and does not show it.
 */
export const findTrace = async (
  rpc: Rpc<SolanaRpcApi>,
  { account, key, feePayer }: TraceQuery,
): Promise<Trace | undefined> => {
  const memos = attemptsOf(key).map(memoOf)
  const isWanted = (text: string): boolean => memos.some((memo) => text.includes(memo))
  const show = (signature: Signature) =>
    readTransaction(rpc, signature).catch((error: unknown) => {
      if (isUnsupportedVersion(error)) return undefined
      throw error
    })
  const terms = { commitment: 'confirmed', limit: pageSize } as const
  let before: Signature | undefined
  for (;;) {
    const page: SignaturePage = await rpc
      .getSignaturesForAddress(account, before === undefined ? terms : { ...terms, before })
      .send()
    for (const { signature, err, memo, slot, confirmationStatus } of page) {
      if (err !== null) continue
      // Nodes write the length of a memo before it, and some keep none.
      if (memo !== null && !isWanted(memo)) continue
      const shown = await show(signature)
      if (shown === null && memo !== null) {
        const message = `The node lists the transaction ${signature} but does not return it. Use a node with an older history.`
        throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 15 })
      }
      if (!shown || (memo === null && !isWanted(shown.logs))) continue
      if (!isPaidBy(feePayer, shown.signedTransaction)) continue
      const { signedTransaction } = shown
      return { signature, signedTransaction, slot, isFinal: confirmationStatus !== 'confirmed' }
    }
    if (page.length < pageSize) return undefined
    before = page.at(-1)?.signature
  }
}
