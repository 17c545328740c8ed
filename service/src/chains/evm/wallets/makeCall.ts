import { setTimeout as sleep } from 'node:timers/promises'
import { getAddress } from 'viem'
import { ServiceError } from '../../../errors.js'
import type { EncodedCall } from '../../walletPort.js'
import type { OutboxCall } from '../outbox.js'
import { readRevertData } from '../readRevert.js'
import { toHex } from '../signed.js'
import { type Refusal, refuse } from '../toResult.js'
import { explainLack, type FundsOptions, readFunds } from './accountFunds.js'
import { settleGifts } from './giveGas.js'

/** How long earlier calls are waited for that may bring what a call lacks. */
const patienceMs = 60_000

/** Whether a contract takes a call as things stand. */
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
 * Makes up an account's call, or refuses it for want of coins. While earlier calls of the account are on their way, it
 * waits for those: they may bring the coins, or what else the contract asks for.
 *
 * @param key - Its own: it does not wait for what another process has signed under it.
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
