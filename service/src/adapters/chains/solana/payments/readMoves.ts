import type { Address, Rpc, Signature, SolanaRpcApi } from '@solana/kit'
import { isUnsupportedVersion } from '../connection/isUnsupportedVersion.js'

/** What a landed transaction changed. */
export type Moves = {
  /** Every account that it names, those of lookup tables included. */
  accounts: readonly Address[]
  signers: readonly Address[]
  /** Returns how much more an account holds after it. Negative if it holds less. @units base units */
  change(account: Address, mint: Address | undefined): bigint
  /** Returns what it put into an account and who paid that: whoever has lost the most by it. */
  into(account: Address, mint: Address | undefined): { payer: Address; units: bigint } | undefined
}

type TokenChange = { account: Address; mint: string; owner: string | undefined; units: bigint }

/** The moves of a transaction of a later version, which no request of the service can read. */
export const unreadable: Moves = { accounts: [], signers: [], change: () => 0n, into: () => undefined }

/**
 * Reads what a transaction changed. Returns {@link unreadable} if its version is not supported, and `undefined` if
 * the node does not show it.
 */
export const readMoves = async (rpc: Rpc<SolanaRpcApi>, signature: string): Promise<Moves | undefined> => {
  const found = await rpc
    .getTransaction(signature as Signature, {
      commitment: 'confirmed',
      encoding: 'json',
      maxSupportedTransactionVersion: 0,
    })
    .send()
    .catch((error: unknown) => {
      if (isUnsupportedVersion(error)) return 'unsupported' as const
      throw error
    })
  if (found === 'unsupported') return unreadable
  if (!found?.meta || found.meta.err !== null) return undefined
  const {
    preBalances,
    postBalances,
    preTokenBalances = [],
    postTokenBalances = [],
    loadedAddresses,
  } = found.meta
  const accounts: Address[] = [
    ...found.transaction.message.accountKeys,
    ...(loadedAddresses?.writable ?? []),
    ...(loadedAddresses?.readonly ?? []),
  ]
  const lamports = accounts.map((_, at) => BigInt(postBalances[at] ?? 0n) - BigInt(preBalances[at] ?? 0n))
  const tokens = new Map<number, TokenChange>()
  const count = (balances: typeof preTokenBalances, sign: bigint): void => {
    for (const { accountIndex, mint, owner, uiTokenAmount } of balances) {
      const account = accounts[accountIndex]
      if (!account) continue
      const units = (tokens.get(accountIndex)?.units ?? 0n) + sign * BigInt(uiTokenAmount.amount)
      tokens.set(accountIndex, { account, mint, owner, units })
    }
  }
  count(preTokenBalances, -1n)
  count(postTokenBalances, 1n)

  const changesOf = (mint: Address | undefined) =>
    mint === undefined
      ? // The account of wrapped SOL belongs to whoever wrapped it.
        accounts.map((account, at) => {
          return { account, owner: tokens.get(at)?.owner ?? account, units: lamports[at] ?? 0n }
        })
      : [...tokens.values()].filter((each) => each.mint === mint)
  const change = (account: Address, mint: Address | undefined): bigint =>
    changesOf(mint).find((each) => each.account === account)?.units ?? 0n
  const { header, accountKeys } = found.transaction.message
  return {
    accounts,
    signers: accountKeys.slice(0, header.numRequiredSignatures),
    change,
    into: (account, mint) => {
      const units = change(account, mint)
      const [payer] = changesOf(mint).sort((one, other) => (one.units < other.units ? -1 : 1))
      if (units <= 0n || payer?.owner === undefined || payer.units >= 0n) return undefined
      return { payer: payer.owner as Address, units }
    },
  }
}
