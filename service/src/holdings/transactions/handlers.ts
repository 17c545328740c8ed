import { eq } from 'drizzle-orm'
import { wallets } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import type { JobHandler } from '#base/ports/jobs.js'
import { burnMinted } from './burnMinted.js'
import type { SendRun } from './calls/sendCalls.js'
import { transactionKindOf } from './kinds.js'
import type { NonceChannel } from './nonceChannels.js'
import { expireOperation } from './operations/expireOperation.js'
import { refuseWallet } from './refuseWallet.js'

/** The handlers of all jobs for wallets' transactions, by name. */
export type TransactionHandlers = {
  [Name in 'nfts.burn' | 'transactions.expire' | 'transactions.send']: JobHandler<Name>
}

const sendPending = async (deps: Deps, channel: NonceChannel, run: SendRun): Promise<void> => {
  const [wallet] = await deps.db.select().from(wallets).where(eq(wallets.id, channel.walletId))
  if (!wallet) throw new Error('a wallet is gone')
  const chain = deps.chains.get(channel.chain)
  if (!chain) {
    const message = `${channel.chain} is no longer enabled, and something is on its way there`
    throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 60 })
  }
  await refuseWallet(deps, wallet, channel)
  await transactionKindOf(wallet).sendPending(deps, { wallet, chain, run }, channel)
}

/**
 * Creates the job handlers of wallets' transactions. One job at a time handles a wallet's transactions on a
 * chain. A job that arrives meanwhile ends at once and makes the running one check again. If the process is
 * killed, the running job is repeated.
 */
export const createTransactionHandlers = (deps: Deps): TransactionHandlers => {
  const running = new Map<string, SendRun>()
  return {
    'nfts.burn': burnMinted(deps),
    'transactions.expire': expireOperation(deps),
    'transactions.send': async (channel) => {
      const key = `${channel.walletId}:${channel.chain}`
      const known = running.get(key)
      if (known) {
        known.isAskedAgain = true
        known.onAsked()
        return
      }
      const own: SendRun = { isAskedAgain: true, onAsked: () => {} }
      running.set(key, own)
      try {
        while (own.isAskedAgain) {
          own.isAskedAgain = false
          await sendPending(deps, channel, own)
        }
      } finally {
        running.delete(key)
      }
    },
  }
}
