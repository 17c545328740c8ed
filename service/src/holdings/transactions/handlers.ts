import { eq } from 'drizzle-orm'
import { wallets } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { JobHandler } from '#base/ports/jobs.js'
import type { WalletRow } from '#identity/wallets/findWallet.js'
import { requireCalls, requireMessages, requireOperations, requirePrograms } from './actingWallet.js'
import { burnMinted } from './burnMinted.js'
import { sendCalls } from './calls/sendCalls.js'
import { sendMessages, sendProgramMessages } from './messages/sendMessages.js'
import type { NonceChannel } from './nonceChannels.js'
import { expireOperation } from './operations/expireOperation.js'
import { sendOperations } from './operations/sendOperations.js'
import { refuseWallet } from './refuseWallet.js'

/** The handlers of all jobs for wallets' transactions, by name. */
export type TransactionHandlers = {
  [Name in 'nfts.burn' | 'transactions.expire' | 'transactions.send']: JobHandler<Name>
}

/** How the pending transactions of each type of wallet are sent, in order, until none are left. */
const senders: Readonly<
  Record<
    WalletRow['type'],
    (deps: Deps, on: { wallet: WalletRow; chain: ChainPort }, channel: NonceChannel) => Promise<void>
  >
> = {
  'evm-smart-wallet': (deps, { wallet, chain }, channel) =>
    sendOperations(deps, { wallet, port: requireOperations(chain) }, channel),
  'evm-mpc-wallet': (deps, { wallet, chain }, channel) =>
    sendCalls(deps, { wallet, port: requireCalls(chain) }, channel),
  'solana-mpc-wallet': (deps, { wallet, chain }, channel) =>
    sendMessages(deps, { wallet, port: requireMessages(chain) }, channel),
  'solana-smart-wallet': (deps, { wallet, chain }, channel) =>
    sendProgramMessages(deps, { wallet, port: requirePrograms(chain) }, channel),
}

const sendPending = async (deps: Deps, channel: NonceChannel): Promise<void> => {
  const [wallet] = await deps.db.select().from(wallets).where(eq(wallets.id, channel.walletId))
  if (!wallet) throw new Error('a wallet is gone')
  const chain = deps.chains.get(channel.chain)
  if (!chain) {
    const message = `${channel.chain} is no longer enabled, and something is on its way there`
    throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 60 })
  }
  await refuseWallet(deps, wallet, channel)
  await senders[wallet.type](deps, { wallet, chain }, channel)
}

/**
 * Creates the job handlers of wallets' transactions. One job at a time handles a wallet's transactions on a
 * chain. A job that arrives meanwhile ends at once and makes the running one check again. If the process is
 * killed, the running job is repeated.
 */
export const createTransactionHandlers = (deps: Deps): TransactionHandlers => {
  const running = new Map<string, { isAskedAgain: boolean }>()
  return {
    'nfts.burn': burnMinted(deps),
    'transactions.expire': expireOperation(deps),
    'transactions.send': async (channel) => {
      const key = `${channel.walletId}:${channel.chain}`
      const known = running.get(key)
      if (known) {
        known.isAskedAgain = true
        return
      }
      const own = { isAskedAgain: true }
      running.set(key, own)
      try {
        while (own.isAskedAgain) {
          own.isAskedAgain = false
          await sendPending(deps, channel)
        }
      } finally {
        running.delete(key)
      }
    },
  }
}
