import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, type Hex, isAddressEqual, type TransactionReceipt } from 'viem'
import { ServiceError } from '../../errors.js'
import type { WriteResult } from '../port.js'
import { type BroadcastOptions, createBroadcast } from './broadcast.js'
import { offerFees, readBlockTerms } from './fees.js'
import { keepRefusal } from './keepRefusal.js'
import { readRevert } from './readRevert.js'
import { findRefusal, type KeptRefusal } from './refusals.js'
import { explainMisfit, gasFor, readSignedCall, signCall } from './signCall.js'
import {
  findSigned,
  finishSigned,
  hashesOf,
  renewNonce,
  type SignedTransaction,
  signNext,
  toHex,
} from './signed.js'
import { type Refusal, refuse, toResult } from './toResult.js'

/** A call the service sends from its own key. */
export type OutboxCall = { to: Address; data: Hex }

/** Sends each call once, whoever asks how often. */
export type Outbox = {
  /**
   * Sends a call, or waits for the transaction that was sent under this key before; only when there is none is
   * the call made up.
   */
  send(key: string, makeCall: () => Promise<OutboxCall>): Promise<WriteResult>
  /** Makes a refusal the end of its key for everybody, unless another's end came first: then it is that. */
  keepRefusal(key: string, refusal: Refusal): Promise<WriteResult>
  /** Sends again what the chain has lost, as a development chain does when it is reset. */
  recover(): Promise<void>
  /** Does so only where the chain has lost what had ended, or lacks what is old: all else is being waited for. */
  recoverLost(): Promise<void>
}

/** Whose transactions these are, and what it takes to wait for them. */
export type OutboxOptions = BroadcastOptions & { confirmations: number; pollMs: number }

/** How long a transaction is waited for, and for each block that confirms it. */
const patienceMs = 60_000
const patiencePerBlockMs = 15_000
const mostPatienceMs = 30 * 60_000
/** How often a receipt is asked for in vain before it is asked why the transaction does not come. */
const pollsBeforeDoubt = 5
/** How many such looks in a row must find the nonce used by another transaction before it is believed. */
const looksBeforeBelief = 3

/** Keeps a queue of signed transactions in the database and sees each of them into a block. */
export const createOutbox = (options: OutboxOptions): Outbox => {
  const { db, log, client, account, chain, confirmations, pollMs } = options
  const sender = { chain, sender: account.address }
  const waitMs = Math.min(patienceMs + (confirmations - 1) * patiencePerBlockMs, mostPatienceMs)
  const broadcast = createBroadcast(options)

  const sign = async (key: string, call: OutboxCall): Promise<SignedTransaction | KeptRefusal | Refusal> => {
    // All that needs the network comes before the database transaction, which is short and holds the nonce.
    const [needed, { gasLimit, asked }, chainNonce] = await Promise.all([
      client.estimateGas({ account: account.address, ...call }),
      readBlockTerms(client),
      client.getTransactionCount({ address: account.address, blockTag: 'pending' }),
    ])
    const misfit = explainMisfit(needed, gasLimit)
    if (misfit !== undefined) return refuse(misfit, call.data)
    const fees = offerFees(chain, asked, options.maxFeePerGas)
    const priced = { ...call, gas: gasFor(needed, gasLimit), fees }
    return signNext(db, { ...sender, key, chainNonce }, (nonce) => signCall(options, priced, nonce))
  }

  /** Signs a call, or tells why the chain will not have it. */
  const signOrRefuse = async (key: string, makeCall: () => Promise<OutboxCall>) => {
    const call = await makeCall()
    try {
      return await sign(key, call)
    } catch (error) {
      const reason = readRevert(error)
      if (reason === undefined) throw error
      // Whoever asked at the same time may have been first: then it is doing it twice that is refused.
      return (await findSigned(db, key)) ?? refuse(reason, call.data)
    }
  }

  const findReceipt = async (signed: SignedTransaction): Promise<TransactionReceipt | undefined> => {
    for (const hash of hashesOf(signed)) {
      const receipt = await client.getTransactionReceipt({ hash: toHex(hash) }).catch((error) => {
        if (error instanceof Error && error.name === 'TransactionReceiptNotFoundError') return undefined
        throw error
      })
      if (receipt) return receipt
    }
    return undefined
  }

  const waitForReceipt = async (sent: SignedTransaction): Promise<TransactionReceipt> => {
    let signed = sent
    const startedAtMs = Date.now()
    let doubtedAtMs = startedAtMs
    let looksTaken = 0
    while (Date.now() - startedAtMs < waitMs) {
      const receipt = await findReceipt(signed)
      if (receipt && (await isDeepEnough(receipt))) return receipt
      await sleep(pollMs)
      if (receipt || Date.now() - doubtedAtMs < pollMs * pollsBeforeDoubt) continue
      doubtedAtMs = Date.now()
      // It may have been signed again, by this process or another.
      signed = (await findSigned(db, signed.key)) ?? signed
      looksTaken = (await isNonceTaken(signed)) ? looksTaken + 1 : 0
      if (looksTaken >= looksBeforeBelief) return waitForReceipt(await signAgain(signed))
      // An earlier nonce may be missing, or the node has dropped this one.
      if (looksTaken === 0) await broadcast.sendMissing()
    }
    throw new ServiceError('chain-unavailable', `The chain ${chain} has not taken a transaction yet.`, {
      retryAfterSeconds: 5,
    })
  }

  /** Whether the chain has gone past a transaction's nonce without having it: somebody else used the key. */
  const isNonceTaken = async (signed: SignedTransaction): Promise<boolean> => {
    const nonce = await client.getTransactionCount({ address: account.address, blockTag: 'latest' })
    return nonce > signed.nonce && !(await findReceipt(signed))
  }

  /**
   * Signs the same call with a new nonce: the old one can never land. Were it to, the contracts' own guards
   * (payout ids, token ids, salts) make the second one revert.
   */
  const signAgain = async (signed: SignedTransaction): Promise<SignedTransaction> => {
    log.warn({ chain, key: signed.key, nonce: signed.nonce }, 'the nonce was used elsewhere; signing again')
    const call = readSignedCall(signed)
    const chainNonce = await client.getTransactionCount({ address: account.address, blockTag: 'pending' })
    const again = await renewNonce(db, signed, chainNonce, (nonce) => signCall(options, call, nonce))
    await broadcast.send(again)
    return again
  }

  const isDeepEnough = async (receipt: TransactionReceipt): Promise<boolean> =>
    confirmations <= 1 ||
    (await client.getBlockNumber({ cacheTime: 0 })) - receipt.blockNumber + 1n >= BigInt(confirmations)

  /** Why a transaction in a block did not do what was wanted; undefined when it did. */
  const explain = async (
    signed: SignedTransaction,
    receipt: TransactionReceipt,
  ): Promise<string | undefined> => {
    // What was given up had its nonce used up by a transaction of ours to ourselves.
    if (receipt.to && isAddressEqual(receipt.to, account.address)) {
      return (await findSigned(db, signed.key))?.revertReason ?? 'given up'
    }
    if (receipt.status === 'success') return undefined
    const { to, data } = readSignedCall(signed)
    try {
      await client.call({ account: account.address, to, data, blockNumber: receipt.blockNumber })
      return 'reverted'
    } catch (error) {
      return readRevert(error) ?? 'reverted'
    }
  }

  const settle = async (signed: SignedTransaction): Promise<WriteResult> => {
    await broadcast.send(signed)
    const receipt = await waitForReceipt(signed)
    const revertReason = await explain(signed, receipt)
    const { transactionHash: txId, blockNumber } = receipt
    return toResult(await finishSigned(db, signed, { txId, blockNumber, revertReason }))
  }

  const end = async (known: SignedTransaction | KeptRefusal | Refusal): Promise<WriteResult> => {
    if ('nonce' in known) return known.status === 'signed' ? settle(known) : toResult(known)
    return 'calldata' in known
      ? refuse(known.reason, known.calldata ? toHex(known.calldata) : undefined)
      : known
  }

  return {
    send: async (callerKey, makeCall) => {
      const key = `${chain}:${callerKey}`
      const known = (await findSigned(db, key)) ?? (await findRefusal(db, key))
      return end(known ?? (await signOrRefuse(key, makeCall)))
    },
    keepRefusal: async (callerKey, { reason, call }) => {
      const key = `${chain}:${callerKey}`
      return end(await keepRefusal(db, { ...sender, key }, { reason, calldata: call?.calldata ?? null }))
    },
    recover: broadcast.sendMissing,
    recoverLost: broadcast.sendLost,
  }
}
