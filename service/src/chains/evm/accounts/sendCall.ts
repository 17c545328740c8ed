import type { PrivateKeyAccount } from 'viem/accounts'
import type { EncodedCall, OperationResult, WriteOptions } from '../../walletPort.js'
import type { Connection } from '../connection/connect.js'
import { readRevertData } from '../connection/readRevert.js'
import { createOutbox } from '../outbox/outbox.js'
import { affordCall } from './affordCall.js'
import { decodeRevert } from './decodeRevert.js'
import { makeCall } from './makeCall.js'
import { recordSpend } from './sponsoredGas.js'
import { keepRevert, toOperationResult } from './storedErrors.js'
import type { WalletParts } from './walletParts.js'

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
  { options, account: { address: operator } }: WalletParts,
  { key, account, call, isSponsored, ...progress }: AccountCall,
): Promise<OperationResult> => {
  const { db, log, chain, chainId, confirmations, maxFeePerGas, pollMs } = options
  const funds = {
    ...{ db, client, chain, chainId, address: account.address, pollMs },
    ...{ sponsor: { outbox, operator }, isSponsored },
  }
  const own = createOutbox({
    ...{ db, log, client, account, chain, confirmations, maxFeePerGas, pollMs },
    afford: (signedKey, priced, attempt) => affordCall(funds, signedKey, priced, attempt),
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
  return toOperationResult(isRefused ? await own.keepRefusal(key, result) : result)
}
