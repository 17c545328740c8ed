import { reverted } from 'kassa/engine'
import type { Transaction } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Deps } from '#base/deps.js'
import { toServiceError } from '#base/errors.js'
import type { CustodialAccount } from '../actingWallet.js'
import { insertTransaction, type NewTransaction } from '../insertTransaction.js'
import { takeSequence } from '../nonceChannels.js'

/**
 * Creates the transaction of an account whose key the service keeps: one call, which is pending at once.
 *
 * @throws {@link ServiceError} `reverted`, `chain-unavailable`.
 */
export const createCall = async (
  deps: Deps,
  call: Call,
  { wallet, port }: CustodialAccount,
  fresh: Omit<NewTransaction, 'sequence' | 'status'>,
): Promise<Transaction> => {
  const [only] = fresh.calls
  if (!only) throw new Error('a call was not encoded')
  const tried = await port.try(wallet.address, only, { isSponsored: deps.config.sponsorsGas })
  if (tried.status === 'reverted') throw toServiceError(reverted(tried))
  return deps.db.transaction(async (tx) => {
    const sequence = await takeSequence(tx, fresh)
    return insertTransaction(deps, call, tx, { ...fresh, sequence, status: 'pending' })
  })
}
