import { getAddress, type PublicClient, type TransactionReceipt } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { createBatch } from '#base/lib/createBatch.js'
import type { EncodedCall } from '#base/ports/calls.js'
import type { WalletResult, WriteOptions } from '#base/ports/write.js'
import type { ChainParts } from '../chainParts.js'
import type { Connection } from '../connection/connect.js'
import { decodeRevert, readRevertData } from '../connection/readRevert.js'
import { createOutbox } from '../outbox/outbox.js'
import { toHex } from '../outbox/signed.js'
import { affordCall } from './affordCalls.js'
import { type AccountSigning, createCallSigning } from './signCalls.js'
import { type EndedCall, recordSpends } from './sponsoredGas.js'
import { keepRevert, toWalletResult } from './storedErrors.js'

/** Creates the function that describes a refusal by the errors that the caller declared. */
const explainBy =
  (errors?: readonly unknown[]) =>
  (error: unknown): string | undefined => {
    const revert = readRevertData(error)
    return revert && keepRevert(decodeRevert(revert.data, errors), revert.data)
  }

/** An account whose key the service keeps. */
type Account = { account: PrivateKeyAccount; isSponsored: boolean }

const createSender = (
  { client, batching, outbox }: Connection,
  { options, account: { address: operator }, heads }: ChainParts,
  { account, isSponsored }: Account,
) => {
  const { db, log, chain, chainId, confirmations, maxFeePerGas, pollMs } = options
  /** How many calls are under way, and how many of them are signed. */
  const counts = { all: 0, open: 0 }
  const { address } = account
  const shared = { db, client, batching, chain, pollMs }
  const signing: AccountSigning = {
    ...shared,
    chainId,
    address,
    sponsor: { outbox, operator },
    isSponsored,
    countOpen: () => counts.open,
  }
  const own = createOutbox(
    {
      ...shared,
      log,
      account,
      confirmations,
      maxFeePerGas,
      nextHead: heads.next,
      afford: (key, priced, attempt) => affordCall(signing, { key, priced }, attempt),
      explain: explainBy(),
    },
    createCallSigning(signing),
  )
  const recordSpend = createBatch(async (calls: readonly EndedCall[]) => {
    await recordSpends(signing, calls)
    return calls.map(() => undefined)
  })
  return { counts, outbox: own, recordSpend }
}

type Sender = ReturnType<typeof createSender>

/** The senders of the accounts that have calls under way, which share what they ask the node and the database. */
const senders = new WeakMap<PublicClient, Map<string, Sender>>()

/** Runs work with the sender of an account. The last work that ends forgets the sender, and with it the key. */
const withSender = async <Result>(
  opened: Connection,
  parts: ChainParts,
  own: Account,
  work: (sender: Sender) => Promise<Result>,
): Promise<Result> => {
  const known = senders.get(opened.client) ?? new Map<string, Sender>()
  senders.set(opened.client, known)
  const name = `${own.account.address}:${own.isSponsored}`
  const sender = known.get(name) ?? createSender(opened, parts, own)
  known.set(name, sender)
  sender.counts.all++
  try {
    return await work(sender)
  } finally {
    sender.counts.all--
    if (!sender.counts.all) known.delete(name)
  }
}

/** The call to send, its account, and whether the operator pays for its gas. */
export type AccountCall = WriteOptions & Account & { key: string; call: EncodedCall }

/**
 * Sends a call from an account whose key the service keeps. No contract guards it against running twice, so
 * it is signed under one nonce. If another transaction uses that nonce, the call fails.
 */
export const sendCall = (
  opened: Connection,
  parts: ChainParts,
  { key, account, call, isSponsored, ...progress }: AccountCall,
): Promise<WalletResult> =>
  withSender(opened, parts, { account, isSponsored }, async ({ counts, outbox, recordSpend }) => {
    let isSigned = false
    let receipt: TransactionReceipt | undefined
    const onSigned = (): void => {
      if (!isSigned) counts.open++
      isSigned = true
      progress.onSigned?.()
    }
    const { to, data, value } = call
    const makeCall = async () => ({ to: getAddress(to), data: toHex(data), value })
    const terms = {
      ...progress,
      isGuarded: false,
      mayEndUnknown: true,
      explain: explainBy(call.errors),
      onSigned,
    }
    const onFinal = (final: TransactionReceipt): void => {
      receipt = final
    }
    try {
      const result = await outbox.send(key, makeCall, { ...terms, onFinal })
      await recordSpend({ key, receipt })
      // Without a signed transaction, another caller could still sign under this key, so the refusal is recorded
      // for every caller.
      const isRefused = result.status === 'failed' && !result.txId
      return toWalletResult(isRefused ? await outbox.keepRefusal(key, result) : result)
    } finally {
      if (isSigned) counts.open--
    }
  })
