import { setTimeout as sleep } from 'node:timers/promises'
import { getAddress } from 'viem'
import { ServiceError } from '../../../errors.js'
import type { EncodedCall } from '../../walletPort.js'
import { readRevertData } from '../connection/readRevert.js'
import type { OutboxCall } from '../outbox/outbox.js'
import { toHex } from '../outbox/signed.js'
import { type Refusal, refuse } from '../outbox/toResult.js'
import { explainLack, type FundsOptions, readFunds } from './accountFunds.js'
import { settleGifts } from './topUpGas.js'

/** How long to wait for earlier calls that may supply what a call lacks. */
const patienceMs = 60_000

/** Whether a contract accepts a call in the current state. */
const isTaken = async ({ client, address }: FundsOptions, call: OutboxCall): Promise<boolean> => {
  try {
    await client.call({ account: address, ...call })
    return true
  } catch (error) {
    if (!readRevertData(error)) throw error
    return false
  }
}

/**
 * Builds an account's call, or refuses it for lack of coins. While earlier calls of the account are pending,
 * it waits for them, because they may bring the coins or another state that the contract requires.
 *
 * @param key - The call's own key. The wait excludes what another process has signed under it.
 */
export const makeCall = async (
  funds: FundsOptions,
  key: string,
  { to, value, data }: EncodedCall,
): Promise<OutboxCall | Refusal> => {
  const call = { to: getAddress(to), data: toHex(data), value }
  const startedAtMs = Date.now()
  for (;;) {
    const found = await readFunds(funds, key)
    const { spareWei, isWaiting, isSettled } = found
    const lack = explainLack(found, value)
    if (lack === undefined && (!isWaiting || (await isTaken(funds, call)))) return call
    if (lack !== undefined && !isWaiting && (isSettled || spareWei < value)) return refuse(lack, undefined)
    if (lack !== undefined && !isSettled) await settleGifts(funds)
    if (Date.now() - startedAtMs >= patienceMs) {
      const message = `Earlier transactions of ${funds.address} have not landed yet.`
      throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 5 })
    }
    await sleep(funds.pollMs)
  }
}
