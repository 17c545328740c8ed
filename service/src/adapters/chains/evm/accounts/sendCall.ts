import { setTimeout as sleep } from 'node:timers/promises'
import { getAddress } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { ServiceError } from '#base/errors.js'
import type { EncodedCall } from '#base/ports/calls.js'
import type { WalletResult, WriteOptions } from '#base/ports/write.js'
import type { ChainParts } from '../chainParts.js'
import type { Connection } from '../connection/connect.js'
import { decodeRevert, readRevertData } from '../connection/readRevert.js'
import { createOutbox } from '../outbox/outbox.js'
import type { OutboxCall } from '../outbox/outboxCall.js'
import { toHex } from '../outbox/signed.js'
import { type Refusal, refuse } from '../outbox/toResult.js'
import { explainLack, type FundsOptions, readFunds } from './accountFunds.js'
import { affordCall } from './affordCall.js'
import { recordSpend } from './sponsoredGas.js'
import { keepRevert, toWalletResult } from './storedErrors.js'
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
const makeCall = async (
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

/** The call to send, its account, and whether the operator pays for its gas. */
export type AccountCall = WriteOptions & {
  key: string
  account: PrivateKeyAccount
  call: EncodedCall
  isSponsored: boolean
}

/**
 * Sends a call from an account whose key the service keeps. No contract guards it against running twice, so
 * it is signed under one nonce. If another transaction uses that nonce, the call fails.
 */
export const sendCall = async (
  { client, outbox }: Connection,
  { options, account: { address: operator } }: ChainParts,
  { key, account, call, isSponsored, ...progress }: AccountCall,
): Promise<WalletResult> => {
  const { db, log, chain, chainId, confirmations, maxFeePerGas, pollMs } = options
  const funds = {
    db,
    client,
    chain,
    chainId,
    address: account.address,
    pollMs,
    sponsor: { outbox, operator },
    isSponsored,
  }
  const own = createOutbox({
    db,
    log,
    client,
    account,
    chain,
    confirmations,
    maxFeePerGas,
    pollMs,
    afford: (signedKey, priced, attempt) => affordCall(funds, { key: signedKey, attempt }, priced),
    explain: (error) => {
      const revert = readRevertData(error)
      return revert && keepRevert(decodeRevert(revert.data, call.errors), revert.data)
    },
  })
  const makeOwn = () => makeCall(funds, `${chain}:${key}`, call)
  const result = await own.send(key, makeOwn, { isGuarded: false, mayEndUnknown: true, ...progress })
  await recordSpend(funds, key)
  // Without a signed transaction, another caller could still sign under this key, so the refusal is recorded
  // for every caller.
  const isRefused = result.status === 'failed' && !result.txId
  return toWalletResult(isRefused ? await own.keepRefusal(key, result) : result)
}
