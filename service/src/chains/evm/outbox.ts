import type { Address, Hex } from 'viem'
import { inTurn } from '../../inTurn.js'
import type { WriteResult } from '../port.js'
import type { WriteOptions } from '../walletPort.js'
import { abandonSigned } from './abandonSigned.js'
import { awaitReceipt } from './awaitReceipt.js'
import { type BroadcastOptions, createBroadcast } from './broadcast.js'
import { explainEnd } from './explainEnd.js'
import { offerFees, readBlockTerms } from './fees.js'
import { keepRefusal } from './keepRefusal.js'
import { readRevert } from './readRevert.js'
import { findRefusal, type KeptRefusal } from './refusals.js'
import { replaceStuck } from './replaceStuck.js'
import { settleReopened } from './settleReopened.js'
import { explainLength, explainMisfit, gasFor, readSignedCall, signCall } from './signCall.js'
import { findSigned, finishSigned, renewNonce, type SignedTransaction, signNext, toHex } from './signed.js'
import { type Refusal, refuse, toResult } from './toResult.js'

/** A call the service sends from a key that it keeps. */
export type OutboxCall = { to: Address; data: Hex; value?: bigint }

/** How a call is sent. */
export type SendTerms = WriteOptions & {
  /**
   * Whether it is signed anew, with another nonce, when somebody else has used its own: the contracts of what is
   * sent so let one of the two succeed. What nobody guards fails instead.
   */
  isGuarded?: boolean
  /** Is told once it is in a block, which may still be reorganised. */
  onLanded?: (() => void) | undefined
}

/** Sends each call once, whoever asks how often. */
export type Outbox = {
  /**
   * Sends a call, or waits for the transaction that was sent under this key before; only when there is none is
   * the call made up, or refused.
   */
  send(key: string, makeCall: () => Promise<OutboxCall | Refusal>, terms?: SendTerms): Promise<WriteResult>
  /** Makes a refusal the end of its key for everybody, unless another's end came first: then it is that. */
  keepRefusal(key: string, refusal: Refusal): Promise<WriteResult>
  /** Sends again what the chain has lost, as a development chain does when it is reset. */
  recover(): Promise<void>
  /**
   * Does so only where the chain has lost what had ended, or lacks what is old: all else is being waited for. What had
   * ended ends again once the chain has it.
   */
  recoverLost(): Promise<void>
}

/** Whose transactions these are, and what it takes to wait for them. */
export type OutboxOptions = BroadcastOptions & {
  confirmations: number
  pollMs: number
  /** Puts what a contract refused with into words; undefined for what is no contract's refusal. */
  explain?: (error: unknown) => string | undefined
}

/** Keeps a queue of signed transactions in the database and sees each of them into a block. */
export const createOutbox = (options: OutboxOptions): Outbox => {
  const { db, log, client, account, chain, afford = async () => undefined, explain = readRevert } = options
  const sender = { chain, sender: account.address }
  const renew = (first: SignedTransaction, refusal: string | undefined) =>
    replaceStuck(options, first, refusal)
  const own = { ...options, sender: account.address, explain, renew }
  const broadcast = createBroadcast(own)
  let resending: Promise<void> | undefined
  /** Many may wait for what is missing at once: it is sent again once for all of them. */
  const resendMissing = (): Promise<void> => {
    resending ??= broadcast.sendMissing().finally(() => {
      resending = undefined
    })
    return resending
  }

  const sign = async (
    key: string,
    call: OutboxCall,
    assertDue: SendTerms['assertDue'],
  ): Promise<SignedTransaction | KeptRefusal | Refusal> => {
    const excess = explainLength(call.data)
    if (excess !== undefined) return refuse(excess, call.data)
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
    const lack = await afford(key, priced, 1)
    if (lack !== undefined) return refuse(lack, call.data)
    // Who waits for the lock of the nonces in the database holds a connection: one of this process at a time.
    return inTurn(`nonce:${chain}:${account.address}`, () =>
      signNext(db, { ...sender, key, chainNonce, assertDue }, (nonce) => signCall(options, priced, nonce)),
    )
  }

  /** Signs a call, or tells why the chain will not have it. */
  const signOrRefuse = async (
    key: string,
    makeCall: () => Promise<OutboxCall | Refusal>,
    assertDue: SendTerms['assertDue'],
  ) => {
    const call = await makeCall()
    if ('status' in call) return call
    try {
      return await sign(key, call, assertDue)
    } catch (error) {
      const reason = explain(error)
      if (reason === undefined) throw error
      // Whoever asked at the same time may have been first: then it is doing it twice that is refused.
      return (await findSigned(db, key)) ?? refuse(reason, call.data)
    }
  }

  /**
   * Signs the same call with a new nonce: the old one can never land. Were it to, the contracts' own guards
   * (payout ids, token ids, salts) make the second one revert.
   */
  const signAgain = async (signed: SignedTransaction): Promise<SignedTransaction> => {
    log.warn({ chain, key: signed.key, nonce: signed.nonce }, 'the nonce was used elsewhere; signing again')
    const call = readSignedCall(signed)
    const chainNonce = await client.getTransactionCount({ address: account.address, blockTag: 'pending' })
    return renewNonce(db, signed, chainNonce, (nonce) => signCall(options, call, nonce))
  }

  const giveUp = (signed: SignedTransaction): Promise<SignedTransaction> => {
    log.error({ chain, key: signed.key, nonce: signed.nonce }, 'the nonce was used elsewhere; giving it up')
    return abandonSigned(db, signed, 'its nonce was used by another transaction')
  }

  const settle = async (signed: SignedTransaction, terms: SendTerms): Promise<WriteResult> => {
    await broadcast.send(signed)
    terms.onSent?.()
    const { isGuarded = true } = terms
    const waiting = { ...options, isGuarded, sendMissing: resendMissing }
    const end = await awaitReceipt(waiting, signed, () => terms.onLanded?.())
    if ('taken' in end) return finish(await (isGuarded ? signAgain : giveUp)(end.taken), terms)
    const revertReason = await explainEnd(own, signed, end)
    const { transactionHash: txId, blockNumber } = end
    return toResult(await finishSigned(db, signed, { txId, blockNumber, revertReason }))
  }

  const finish = async (signed: SignedTransaction, terms: SendTerms): Promise<WriteResult> =>
    signed.status === 'signed' ? settle(signed, terms) : toResult(signed)

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
    send: async (callerKey, makeCall, terms) => {
      const key = `${chain}:${callerKey}`
      const known = (await findSigned(db, key)) ?? (await findRefusal(db, key))
      return end(known ?? (await signOrRefuse(key, makeCall, terms?.assertDue)), terms)
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
