import { randomUUID } from 'node:crypto'
import type { Address, Hex } from 'viem'
import { createBatch } from '#base/lib/createBatch.js'
import { withMutex } from '#base/lib/withMutex.js'
import type { WriteOptions, WriteResult } from '#base/ports/write.js'
import { offerFees, readBlockTerms } from '../connection/fees.js'
import { readRevert } from '../connection/readRevert.js'
import { abandonSigned } from './abandonSigned.js'
import { awaitReceipt } from './awaitReceipt.js'
import { type BroadcastOptions, createBroadcast, explainUndue } from './broadcast.js'
import { explainEnd } from './explainEnd.js'
import { findWrite, findWrites } from './findWrites.js'
import { keepRefusal } from './keepRefusal.js'
import type { KeptRefusal } from './refusals.js'
import { replaceStuck } from './replaceStuck.js'
import { settleReopened } from './settleReopened.js'
import { isShared, type Sharer, sharedKey, signShared } from './sharedCalls.js'
import { createSharing } from './shareTransactions.js'
import { explainLength, explainMisfit, gasFor, readSignedCall, signCall } from './signCall.js'
import {
  assertNonce,
  finishSigned,
  readNonce,
  renewNonce,
  type SignedTransaction,
  signNext,
  toHex,
} from './signed.js'
import { type Refusal, refuse, toResult } from './toResult.js'

/** A call that the service sends from a key that it keeps. */
export type OutboxCall = { to: Address; data: Hex; value?: bigint }

/** The terms on which a call is sent. */
export type SendTerms = WriteOptions & {
  /**
   * Whether to sign again with another nonce if another transaction has used the first one. This is safe when
   * the contracts let only one of the two succeed. Without such a guard, the call fails instead.
   */
  isGuarded?: boolean
  /**
   * Whether the wait ends after an hour in which the node shows neither the transaction nor what used its
   * nonce. The call then fails with {@link untoldReason}, though it may have landed.
   */
  mayEndUnknown?: boolean
  /** Called once the transaction is in a block, which may still be reorganised. */
  onLanded?: (() => void) | undefined
  /** Lets the call share a transaction with others that come at about the same time. */
  sharing?: Sharing | undefined
}

/**
 * How calls of one kind share a transaction. The contracts must let each of them take effect once, because a call
 * whose shared transaction failed is sent again alone.
 */
export type Sharing = {
  /** Calls of the same name can be joined. */
  name: string
  /** Joins the data of several calls to one contract. */
  join(calldata: readonly Hex[]): Hex
}

/** The reason of a call that ended without word of whether it landed. */
export const untoldReason = 'the node shows neither this transaction nor the one that used its nonce'

/** Sends each call once, however often it is requested. */
export type Outbox = {
  /**
   * Sends a call, or waits for the transaction already sent under this key. `makeCall` runs only if there is
   * none, and returns the call or a refusal.
   */
  send(key: string, makeCall: () => Promise<OutboxCall | Refusal>, terms?: SendTerms): Promise<WriteResult>
  /**
   * Records a refusal as the key's outcome for every caller, unless another outcome came first. Returns the
   * outcome that counts.
   */
  keepRefusal(key: string, refusal: Refusal): Promise<WriteResult>
  /** Resends what the chain has lost, as a development chain does when it is reset. */
  recover(): Promise<void>
  /**
   * Resends only if the chain has lost a transaction that had ended, or lacks an old one. Processes already
   * wait for all others. A transaction that had ended ends again once the chain has it.
   */
  recoverLost(): Promise<void>
}

const alone = ({ sharing: _, ...terms }: SendTerms): SendTerms => terms

/** The sender of the transactions, and what waiting for them needs. */
export type OutboxOptions = BroadcastOptions & {
  confirmations: number
  pollMs: number
  /** Waits for the next block, at most for a time in milliseconds. */
  nextHead?: ((mostMs: number) => Promise<unknown>) | undefined
  /** Whether no other database may sign for the account: see `Sender`. */
  isExclusive?: boolean | undefined
  /** Describes a contract's refusal, or returns `undefined` if the error is not one. */
  explain?: (error: unknown) => string | undefined
}

/** Keeps a queue of signed transactions in the database and sends each one until it is in a block. */
export const createOutbox = (options: OutboxOptions): Outbox => {
  const { db, log, client, account, chain, afford = async () => undefined, explain = readRevert } = options
  const sender = { chain, sender: account.address, isExclusive: options.isExclusive }
  const share = createSharing()
  const renew = (first: SignedTransaction, refusal: string | undefined) =>
    replaceStuck(options, first, refusal)
  const own = { ...options, sender: account.address, explain, renew }
  const broadcast = createBroadcast(own)
  const findKnown = createBatch(async (keys: readonly string[]) => {
    const known = await findWrites(db, keys)
    return keys.map((key) => known.get(key) ?? { isApart: false })
  })
  let resending: Promise<void> | undefined
  /** Many callers may wait for missing transactions at once; one resend serves them all. */
  const resendMissing = (): Promise<void> => {
    resending ??= broadcast.sendMissing().finally(() => {
      resending = undefined
    })
    return resending
  }

  /** Reads what a call costs, or why the chain would not accept it. */
  const price = async (key: string, call: OutboxCall) => {
    const excess = explainLength(call.data)
    if (excess !== undefined) return refuse(excess, call.data)
    // All network reads come before the database transaction, which is short and holds the nonce.
    const [needed, { gasLimit, asked }, chainNonce] = await Promise.all([
      client.estimateGas({ account: account.address, ...call }),
      readBlockTerms(client),
      client.getTransactionCount({ address: account.address, blockTag: 'pending' }),
    ])
    const misfit = explainMisfit(needed, gasLimit)
    if (misfit !== undefined) return refuse(misfit, call.data)
    const fees = offerFees(chain, asked, options.maxFeePerGas)
    const priced = { ...call, gas: gasFor(needed, gasLimit), fees }
    const lack = await afford(key, priced, 1)
    return lack === undefined ? { priced, chainNonce } : refuse(lack, call.data)
  }

  /** A caller that waits for the lock of the nonces holds a connection, so only one per process waits. */
  const withNonce = <Result>(work: () => Promise<Result>): Promise<Result> =>
    withMutex(`nonce:${chain}:${account.address}`, work)

  const sign = async (
    key: string,
    call: OutboxCall,
    assertDue: SendTerms['assertDue'],
  ): Promise<SignedTransaction | KeptRefusal | Refusal> => {
    const cost = await price(key, call)
    if ('status' in cost) return cost
    const { priced, chainNonce } = cost
    return withNonce(() =>
      signNext(db, { ...sender, key, chainNonce, assertDue }, (nonce) => signCall(options, priced, nonce)),
    )
  }

  /** Signs a call, or returns why the chain would not accept it. */
  const signOrRefuse = async (key: string, call: OutboxCall, assertDue: SendTerms['assertDue']) => {
    try {
      return await sign(key, call, assertDue)
    } catch (error) {
      const reason = explain(error)
      if (reason === undefined) throw error
      // What the chain refuses may be done already, by a write that this database does not know.
      if (options.isExclusive) {
        const { address } = account
        assertNonce(sender, await client.getTransactionCount({ address }), await readNonce(db, sender))
      }
      // A concurrent caller may have signed first. Then the refusal is that of the second execution.
      return (await findWrite(db, key)).outcome ?? refuse(reason, call.data)
    }
  }

  /** Signs one transaction for several calls. Returns `undefined` if the chain would not accept it. */
  const signTogether = async (to: Address, { join }: Sharing, sharers: readonly Sharer[]) => {
    const data = join(sharers.map(({ calldata }) => calldata))
    const key = sharedKey(chain, randomUUID())
    const cost = await price(key, { to, data }).catch((error) => {
      if (explain(error) === undefined) throw error
      return undefined
    })
    if (!cost || 'status' in cost) return undefined
    const { priced, chainNonce } = cost
    return withNonce(() =>
      signShared(db, { ...sender, key, chainNonce, sharers }, (nonce, calldata) =>
        // Without those that are not due any more, it needs less gas.
        signCall(options, { ...priced, data: join(calldata) }, nonce),
      ),
    )
  }

  /** Signs a call, alone or with others, or returns why the chain would not accept it. */
  const signWrite = async (
    key: string,
    makeCall: () => Promise<OutboxCall | Refusal>,
    { assertDue, sharing }: SendTerms,
  ): Promise<SignedTransaction | KeptRefusal | Refusal> => {
    const call = await makeCall()
    if ('status' in call) return call
    if (!sharing) return signOrRefuse(key, call, assertDue)
    const { to, data } = call
    return share(
      sharing.name,
      { key, calldata: data, assertDue },
      {
        alone: (one) => signOrRefuse(one.key, { to, data: one.calldata }, one.assertDue),
        together: (sharers) => signTogether(to, sharing, sharers),
      },
    )
  }

  /**
   * Signs the same call with a new nonce, since the old one can never land. If the old one landed after all,
   * the contracts' guards (payout ids, token ids, salts) would make the second one revert. A call that is no
   * longer due is given up.
   */
  const signAgain = async (signed: SignedTransaction): Promise<SignedTransaction> => {
    const undue = await explainUndue(options, signed)
    if (undue !== undefined) return giveUp(signed, undue)
    log.warn({ chain, key: signed.key, nonce: signed.nonce }, 'the nonce was used elsewhere; signing again')
    const call = readSignedCall(signed)
    const chainNonce = await client.getTransactionCount({ address: account.address, blockTag: 'pending' })
    return renewNonce(db, signed, chainNonce, (nonce) => signCall(options, call, nonce))
  }

  const giveUp = (
    signed: SignedTransaction,
    reason = 'its nonce was used by another transaction',
  ): Promise<SignedTransaction> => {
    const { key, nonce } = signed
    log.error({ chain, key, nonce, reason }, 'the nonce was used elsewhere; giving it up')
    return abandonSigned(db, signed, reason)
  }

  const settle = async (signed: SignedTransaction, terms: SendTerms): Promise<WriteResult> => {
    await broadcast.send(signed)
    terms.onSent?.()
    const { isGuarded = true, mayEndUnknown = false } = terms
    const waiting = { ...options, isGuarded, mayEndUnknown, sendMissing: resendMissing }
    const end = await awaitReceipt(waiting, signed, () => terms.onLanded?.())
    if ('nonceUse' in end) {
      if (end.nonceUse === 'untold') return finish(await giveUp(end.signed, untoldReason), terms)
      return finish(await (isGuarded ? signAgain : giveUp)(end.signed), terms)
    }
    const revertReason = await explainEnd(own, signed, end)
    const { transactionHash: txId, blockNumber } = end
    return toResult(await finishSigned(db, signed, { txId, blockNumber, revertReason }))
  }

  const settling = new Map<string, { result: Promise<WriteResult>; hear(terms: SendTerms): void }>()
  /** Settles a shared transaction once, for all of this process that wait for it. */
  const settleShared = (signed: SignedTransaction, terms: SendTerms): Promise<WriteResult> => {
    const known = settling.get(signed.key)
    if (known) {
      known.hear(terms)
      return known.result
    }
    const all = [terms]
    const told = { isSent: false, isLanded: false }
    const onSent = (): void => {
      told.isSent = true
      for (const each of all) each.onSent?.()
    }
    const onLanded = (): void => {
      told.isLanded = true
      for (const each of all) each.onLanded?.()
    }
    const hear = (later: SendTerms): void => {
      all.push(later)
      if (told.isSent) later.onSent?.()
      if (told.isLanded) later.onLanded?.()
    }
    const result = settle(signed, { onSent, onLanded }).finally(() => settling.delete(signed.key))
    settling.set(signed.key, { result, hear })
    return result
  }

  const finish = async (signed: SignedTransaction, terms: SendTerms): Promise<WriteResult> => {
    if (signed.status !== 'signed') return toResult(signed)
    return isShared(signed) ? settleShared(signed, terms) : settle(signed, terms)
  }

  const end = async (
    known: SignedTransaction | KeptRefusal | Refusal,
    terms: SendTerms = {},
  ): Promise<WriteResult> => {
    if ('nonce' in known) {
      terms.onSigned?.()
      return finish(known, terms)
    }
    return 'calldata' in known
      ? refuse(known.reason, known.calldata ? toHex(known.calldata) : undefined)
      : known
  }

  return {
    send: async (callerKey, makeCall, terms = {}) => {
      const key = `${chain}:${callerKey}`
      const { outcome, isApart } = await findKnown(key)
      const signed = outcome ?? (await signWrite(key, makeCall, isApart ? alone(terms) : terms))
      const result = await end(signed, terms)
      if (result.status === 'succeeded' || !('nonce' in signed) || signed.key === key) return result
      // The transaction that it shared has failed, perhaps for another call's sake.
      return end((await findWrite(db, key)).outcome ?? (await signWrite(key, makeCall, alone(terms))), terms)
    },
    keepRefusal: async (callerKey, { reason, call }) => {
      const key = `${chain}:${callerKey}`
      return end(await keepRefusal(db, { ...sender, key }, { reason, calldata: call?.calldata ?? null }))
    },
    recover: broadcast.sendMissing,
    recoverLost: async () => {
      await broadcast.sendLost()
      await settleReopened(own)
    },
  }
}
