import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, type Hex, type PublicClient, parseTransaction, type TransactionReceipt } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Database } from '../../db/database.js'
import { ServiceError } from '../../errors.js'
import type { WriteResult } from '../port.js'
import { readRevert } from './readRevert.js'
import {
  findSigned,
  finishSigned,
  reopenSigned,
  type SignedTransaction,
  signedFrom,
  signNext,
} from './signed.js'

/** A call the service sends from its own key. */
export type OutboxCall = { to: Address; data: Hex }

/** Sends each call once, whoever asks how often. */
export type Outbox = {
  /**
   * Sends a call, or waits for the transaction that was sent under this key before; only when there is none is
   * the call made up.
   */
  send(key: string, makeCall: () => Promise<OutboxCall>): Promise<WriteResult>
  /** Sends again what the chain has lost, as a development chain does when it is reset. */
  recover(): Promise<void>
}

/** Whose transactions on which chain, and where they are written down. */
export type OutboxOptions = {
  db: Database
  client: PublicClient
  account: PrivateKeyAccount
  chain: string
  confirmations: number
  pollMs: number
}

const patienceMs = 60_000

/** Keeps a queue of signed transactions in the database and sees each of them into a block. */
export const createOutbox = (options: OutboxOptions): Outbox => {
  const { db, client, account, chain, confirmations, pollMs } = options
  const sender = { chain, sender: account.address }

  const sign = async (key: string, call: OutboxCall): Promise<SignedTransaction> => {
    // All that needs the network comes before the database transaction, which is short and holds the nonce.
    const [gas, fees, chainNonce] = await Promise.all([
      client.estimateGas({ account: account.address, ...call }),
      client.estimateFeesPerGas(),
      client.getTransactionCount({ address: account.address, blockTag: 'pending' }),
    ])
    return signNext(db, { ...sender, key, chainNonce }, (nonce) =>
      account.signTransaction({
        type: 'eip1559',
        chainId: client.chain?.id ?? 0,
        nonce,
        to: call.to,
        data: call.data,
        gas: (gas * 5n) / 4n,
        maxFeePerGas: fees.maxFeePerGas * 2n,
        maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
      }),
    )
  }

  /** Signs a call, or tells why the chain will not have it. */
  const signOrRefuse = async (
    key: string,
    makeCall: () => Promise<OutboxCall>,
  ): Promise<SignedTransaction | { status: 'failed'; reason: string }> => {
    try {
      return await sign(key, await makeCall())
    } catch (error) {
      const reason = readRevert(error)
      if (reason === undefined) throw error
      // Whoever asked at the same time may have been first: then it is doing it twice that is refused.
      return (await findSigned(db, key)) ?? { status: 'failed', reason }
    }
  }

  const broadcast = async (signed: SignedTransaction): Promise<void> => {
    try {
      await client.request({ method: 'eth_sendRawTransaction', params: [toHex(signed.signedTransaction)] })
    } catch (error) {
      // A node refuses what it already has: then the receipt tells. What it never had is sent again below.
      if (!(error instanceof Error && 'code' in error)) throw error
    }
  }

  const rebroadcast = async (): Promise<void> => {
    const nonce = await client.getTransactionCount({ address: account.address, blockTag: 'latest' })
    for (const signed of await signedFrom(db, { ...sender, nonce })) {
      await reopenSigned(db, signed.key)
      await broadcast(signed)
    }
  }

  const findReceipt = (signed: SignedTransaction): Promise<TransactionReceipt | undefined> =>
    client.getTransactionReceipt({ hash: toHex(signed.txId) }).catch((error) => {
      if (error instanceof Error && error.name === 'TransactionReceiptNotFoundError') return undefined
      throw error
    })

  const waitForReceipt = async (signed: SignedTransaction): Promise<TransactionReceipt> => {
    const startedAt = Date.now()
    for (let tries = 1; Date.now() - startedAt < patienceMs; tries += 1) {
      const receipt = await findReceipt(signed)
      if (receipt && (await isDeepEnough(receipt))) return receipt
      await sleep(pollMs)
      // Only a transaction that does not come: an earlier nonce may be missing, or the node has dropped it.
      if (!receipt && tries % 40 === 0) await rebroadcast()
    }
    throw new ServiceError('chain-unavailable', `The chain ${chain} has not taken a transaction yet.`, {
      retryAfterSeconds: 5,
    })
  }

  const isDeepEnough = async (receipt: TransactionReceipt): Promise<boolean> =>
    confirmations <= 1 ||
    (await client.getBlockNumber({ cacheTime: 0 })) - receipt.blockNumber + 1n >= BigInt(confirmations)

  const explain = async (signed: SignedTransaction, receipt: TransactionReceipt): Promise<string> => {
    const { to, data } = parseTransaction(toHex(signed.signedTransaction))
    try {
      await client.call({ account: account.address, to, data, blockNumber: receipt.blockNumber })
      return 'reverted'
    } catch (error) {
      return readRevert(error) ?? 'reverted'
    }
  }

  const settle = async (signed: SignedTransaction): Promise<WriteResult> => {
    await broadcast(signed)
    const receipt = await waitForReceipt(signed)
    const revertReason = receipt.status === 'reverted' ? await explain(signed, receipt) : undefined
    return toResult(await finishSigned(db, signed.key, { blockNumber: receipt.blockNumber, revertReason }))
  }

  return {
    send: async (callerKey, makeCall) => {
      const key = `${chain}:${callerKey}`
      const signed = (await findSigned(db, key)) ?? (await signOrRefuse(key, makeCall))
      if ('reason' in signed) return signed
      return signed.status === 'signed' ? settle(signed) : toResult(signed)
    },
    recover: rebroadcast,
  }
}

const toHex = (text: string): Hex => `0x${text.replace(/^0x/, '')}`

const toResult = (signed: SignedTransaction): WriteResult =>
  signed.status === 'succeeded'
    ? { status: 'succeeded', txId: signed.txId }
    : { status: 'failed', reason: signed.revertReason ?? 'reverted', txId: signed.txId }
