import type { PrivateKeyAccount } from 'viem/accounts'
import type { EncodedCall, OperationResult, WriteOptions } from '../../walletPort.js'
import type { Connection } from '../connect.js'
import { createOutbox } from '../outbox.js'
import { readRevertData } from '../readRevert.js'
import { affordCall } from './affordCall.js'
import { decodeRevert } from './decodeRevert.js'
import { keepRevert, toOperationResult } from './keptErrors.js'
import { makeCall } from './makeCall.js'
import { recordSpend } from './sponsoredGas.js'
import type { WalletParts } from './walletParts.js'

/** What is sent, from which account, and whether the operator pays for its gas. */
export type AccountCall = WriteOptions & {
  key: string
  account: PrivateKeyAccount
  call: EncodedCall
  isSponsored: boolean
}

/**
 * Sends a call from an account of which the service keeps the key. Nothing on chain keeps it from happening twice:
 * it is signed under one nonce, and when that is gone it has failed.
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
  const result = await own.send(key, makeOwn, { isGuarded: false, ...progress })
  await recordSpend(funds, key)
  // What was never signed may be signed by whoever asks next, unless it is refused for everybody.
  const isRefused = result.status === 'failed' && !result.txId
  return toOperationResult(isRefused ? await own.keepRefusal(key, result) : result)
}
