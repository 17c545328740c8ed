import { isOutpriced, outbid, readBlockTerms } from '../connection/fees.js'
import { readRevert } from '../connection/readRevert.js'
import { type BroadcastOptions, explainUndue } from './broadcast.js'
import {
  explainLength,
  explainMisfit,
  gasFor,
  maxBytes,
  type PricedCall,
  readSignedCall,
  signCall,
} from './signCall.js'
import { hashesOf, replaceSigned, type SignedTransaction, toHex } from './signed.js'

/** How long a transaction may wait for a block at the fees it was last signed with. */
const patienceMs = 3 * 60_000

type Fit = { gas: bigint } | { reason: string }

/**
 * Returns the gas limit for a call in blocks that may have become smaller, or why no block can include it.
 */
const fitCall = async (
  { client, account }: BroadcastOptions,
  { to, data, value, gas }: PricedCall,
  { gasLimit, flaw }: { gasLimit: bigint; flaw: string | undefined },
): Promise<Fit> => {
  if (flaw !== undefined) return { reason: flaw }
  if (gas <= gasLimit) return { gas }
  try {
    const needed = await client.estimateGas({ account: account.address, to, data, value })
    const reason = explainMisfit(needed, gasLimit)
    return reason === undefined ? { gas: gasFor(needed, gasLimit) } : { reason }
  } catch (error) {
    const reason = readRevert(error)
    if (reason === undefined) throw error
    return { reason }
  }
}

/**
 * Signs the transaction that blocks all later ones again, with the same nonce and higher fees. It does so if
 * the transaction is old and the chain asks for more than it offers, or if it asks for more gas than a block
 * has. A transaction that no longer fits into a block, that no node accepts, that its account can no longer
 * pay for, or that is no longer due is replaced by one that does nothing, and counts as failed. The chain
 * accepts one transaction per nonce. While the chain asks for no more, the fees stay as they are, because they
 * would otherwise grow without end while the chain stands still.
 *
 * @param refusal - Why the node will never accept it. It counts once the transaction is old, because another
 * node may accept it.
 */
export const replaceStuck = async (
  options: BroadcastOptions,
  signed: SignedTransaction,
  refusal?: string,
): Promise<SignedTransaction> => {
  const { db, log, client, account, chain, maxFeePerGas, afford = async () => undefined } = options
  const { key, nonce, txId } = signed
  const old = readSignedCall(signed)
  const { gasLimit, asked } = await readBlockTerms(client)
  const isTooBig = old.gas > gasLimit
  const attempts = hashesOf(signed).length
  const isOld = Date.now() - signed.createdAt.getTime() >= patienceMs * attempts
  const isOutbid = isOld && isOutpriced(old.fees, asked)
  const flaw =
    explainLength(toHex(signed.signedTransaction), maxBytes) ??
    (isOld ? refusal : undefined) ??
    (await explainUndue(options, signed))
  const isStuck = isTooBig || isOutbid || flaw !== undefined
  const lack = isOld && !isStuck ? await afford(key, old, attempts) : undefined
  if (!isStuck && lack === undefined) return signed
  const fees = outbid(old.fees, asked, maxFeePerGas)
  if (!fees) {
    log.warn(
      { chain, key, nonce, txId },
      'a transaction is stuck, and the chain asks for more than it may be paid',
    )
    return signed
  }
  const fit = await fitCall(options, old, { gasLimit, flaw })
  const renewed = 'gas' in fit ? { ...old, gas: fit.gas, fees } : undefined
  const fault =
    'gas' in fit ? (lack ?? (await afford(key, { ...old, gas: fit.gas, fees }, attempts + 1))) : fit.reason
  if (renewed && fault === undefined) {
    log.warn({ chain, key, nonce, txId }, 'a transaction is stuck; signing it again as the chain asks for it')
    return replaceSigned(db, signed, () => signCall(options, renewed, nonce))
  }
  const to = account.address
  const nothing = { to, gas: await client.estimateGas({ account: to, to }), fees }
  const penury = await afford(key, nothing, attempts + 1)
  if (penury !== undefined) {
    log.error(
      { chain, key, nonce, txId, reason: penury },
      'a transaction is stuck, and its nonce cannot be paid for',
    )
    return signed
  }
  log.error({ chain, key, nonce, txId, reason: fault }, 'a transaction can never land; giving up its nonce')
  return replaceSigned(db, signed, () => signCall(options, nothing, nonce), fault)
}
