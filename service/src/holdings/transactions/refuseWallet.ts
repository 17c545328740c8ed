import { asc } from 'drizzle-orm'
import { walletTransactions } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import type { WalletRow } from '#identity/wallets/findWallet.js'
import { isCustodial } from '#identity/wallets/kinds.js'
import { screenWallet } from './checkSanctions.js'
import { transactionKindOf } from './kinds.js'
import { giveNoncesBack, isPendingIn, lockNonceChannel, type NonceChannel } from './nonceChannels.js'
import { wasBundled } from './operations/changeBundle.js'
import { giveUp } from './operations/takeBundle.js'
import { recordResults } from './recordResults.js'

/**
 * Ends the waiting transactions of a wallet that must not send any more. Those that only the service knows
 * fail, and their nonces are released. An operation that was sent before, or that its owner has signed, is
 * abandoned in its turn. A transaction that is being sent continues, because only the chain decides how it
 * ends.
 */
export const refuseWallet = async (deps: Deps, wallet: WalletRow, channel: NonceChannel): Promise<void> => {
  const error = screenWallet(deps, wallet)
  if (!error) return
  await deps.db.transaction(async (tx) => {
    await lockNonceChannel(tx, channel)
    const waiting = await tx
      .select()
      .from(walletTransactions)
      .where(isPendingIn(channel))
      .orderBy(asc(walletTransactions.sequence))
    const isSecret = !transactionKindOf(wallet).isSentByOwner || isCustodial(wallet)
    const known = isSecret ? waiting.findLastIndex(wasBundled) + 1 : waiting.length
    const unsent = waiting.slice(known)
    for (const row of waiting.slice(0, known)) {
      if (row.operation && row.bundleId === null) await giveUp(tx, row, error)
    }
    const [first] = unsent
    if (first?.operation) await giveNoncesBack(tx, channel, BigInt(first.operation.nonce))
    const result = { status: 'failed' as const, error }
    await recordResults(
      deps,
      tx,
      wallet,
      unsent.map(({ id }) => ({ id, result })),
    )
  })
}
