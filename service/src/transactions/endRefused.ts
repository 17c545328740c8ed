import type { TransactionError } from 'kassa/schema'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import { changeBundle, putTogether } from './changeBundle.js'
import type { WalletOnChain } from './createOperation.js'
import { fillGap } from './fillGap.js'
import { recordResults } from './recordResults.js'
import { sendBundle } from './sendBundle.js'
import { giveUp } from './takeBundle.js'
import { isCustodial, type TransactionRow } from './transaction.js'
import { useUpNonce } from './useUpNonce.js'
import { operationOf } from './viewTransaction.js'

/** The next attempt goes by another key: this one's end is known. */
const tryLater = async (deps: Deps, row: TransactionRow, message: string): Promise<never> => {
  await changeBundle(deps, [row], (tx) => putTogether(deps, tx, [row]))
  throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 10 })
}

/**
 * Ends a transaction that a chain will not have, or that may not be sent any more. It stays pending while it could still
 * land: where the service numbers a wallet's operations, until its nonce is used up, which those behind it wait for;
 * else until its deadline is over.
 *
 * @throws {@link ServiceError} `chain-unavailable` where that is to be tried again.
 */
export const endRefused = async (
  deps: Deps,
  on: WalletOnChain,
  row: TransactionRow,
  error: TransactionError,
): Promise<void> => {
  const { wallet, port } = on
  const quit = () => changeBundle(deps, [row], (tx) => giveUp(tx, row, error))
  if (!isCustodial(wallet)) return quit()

  const { operation } = operationOf(row)
  const nonce = BigInt(operation.nonce)
  const next = await port.getOperationNonce(wallet.address, 0n)
  if (next < nonce) {
    await fillGap(deps, on, row, next)
    return tryLater(deps, row, `An operation before ${row.id} is not on its chain yet`)
  }
  if (next === nonce) {
    if (!row.error) await quit()
    const used = await useUpNonce(deps, on, `unused:${row.bundleId}`, nonce)
    if (used.status !== 'included') {
      deps.log.error({ transactionId: row.id, used }, 'a nonce could not be used up')
      return tryLater(deps, row, `The nonce of ${row.id} could not be used up`)
    }
  }
  // Its nonce is gone: to it, if somebody else has sent it after all, or to another operation.
  const sent = await sendBundle(on, `last:${row.bundleId}`, [row])
  // Its nonce was seen to be free: a node that is behind has said so.
  if (sent.status === 'underpriced') return tryLater(deps, row, sent.explanation)
  const [result] = sent.status === 'included' ? sent.results : []
  const ended = { id: row.id, result: result ?? { status: 'failed' as const, error } }
  await changeBundle(deps, [row], (tx) => recordResults(deps, tx, wallet, [ended]))
}
