import { createHash } from 'node:crypto'
import type {
  Address,
  GetSignaturesForAddressApi,
  Instruction,
  Rpc,
  Signature,
  SolanaRpcApi,
} from '@solana/kit'
import { getAddMemoInstruction } from '@solana-program/memo'
import { firstKey } from '../../../ports/write.js'
import { isUnsupportedVersion } from '../connection/isUnsupportedVersion.js'

const textOf = (key: string): string =>
  `kassa:${createHash('sha256').update(key).digest('base64url').slice(0, 22)}`

/**
 * Creates the instruction that distinguishes a write from others. Without it, two refunds of one amount to one
 * payer could be the same transaction, which happens once.
 */
export const createMemo = (key: string): Instruction => getAddMemoInstruction({ memo: textOf(key) })

/** Attempts at one write are few: see `attemptKey`. */
const maxAttempts = 100

const attemptsOf = (key: string): string[] => {
  const first = firstKey(key)
  return [first, ...Array.from({ length: maxAttempts }, (_, at) => `${first}#${at + 2}`)]
}

const pageSize = 1_000

type SignaturePage = ReturnType<GetSignaturesForAddressApi['getSignaturesForAddress']>

/** The memo program logs its text too. */
const readLogs = async (rpc: Rpc<SolanaRpcApi>, signature: Signature): Promise<string> => {
  const found = await rpc
    .getTransaction(signature, {
      ...{ commitment: 'confirmed', encoding: 'json' },
      maxSupportedTransactionVersion: 0,
    })
    .send()
    .catch((error: unknown) => {
      if (isUnsupportedVersion(error)) return null
      throw error
    })
  return found?.meta?.logMessages?.join('\n') ?? ''
}

/**
 * Finds the transaction of any attempt at a write among those that name an account, by its memo. Returns
 * `undefined` if none succeeded.
 */
export const findTrace = async (
  rpc: Rpc<SolanaRpcApi>,
  account: Address,
  key: string,
): Promise<string | undefined> => {
  const memos = attemptsOf(key).map(textOf)
  const terms = { commitment: 'confirmed', limit: pageSize } as const
  let before: Signature | undefined
  for (;;) {
    const page: SignaturePage = await rpc
      .getSignaturesForAddress(account, before === undefined ? terms : { ...terms, before })
      .send()
    for (const { signature, err, memo } of page) {
      if (err !== null) continue
      // Nodes write the length of a memo before it, and some keep none.
      const text = memo ?? (await readLogs(rpc, signature))
      if (memos.some((wanted) => text.includes(wanted))) return signature
    }
    if (page.length < pageSize) return undefined
    before = page.at(-1)?.signature
  }
}
