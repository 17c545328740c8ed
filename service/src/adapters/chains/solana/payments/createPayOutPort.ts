import type { Rpc, SolanaRpcApi } from '@solana/kit'
import { ServiceError } from '#base/errors.js'
import type { RefundInput } from '#base/ports/chain.js'
import type { PayOutPort } from '#base/ports/chainParts.js'
import { firstKey, type WriteResult } from '#base/ports/write.js'
import type { ChainParts } from '../chainParts.js'
import { estimateFee } from '../outbox/priorityFee.js'
import type { Keyed } from '../outbox/write.js'
import type { PaymentPlace } from './paymentTerms.js'
import { createPayOut, createTreasuryRefund, estimateRent, readHeld } from './payOuts.js'
import { readKept, readRefundFee } from './readStatement.js'

/** A payout of an order's account, and what it is: a refund, a sweep, or what paid for nothing. */
type PayOut = RefundInput & { kind: 'refund' | 'sweep' | 'unattributed' }

/**
 * Finds the account of an order that holds enough for a payout. An order from before orders had keys has another one.
 *
 * @throws {ServiceError} `chain-unavailable` if the node shows none.
 */
const findHolding = async (
  rpc: Rpc<SolanaRpcApi>,
  { chain, operator, terms }: ChainParts,
  { orderId, currency, units }: Pick<RefundInput, 'orderId' | 'currency' | 'units'>,
): Promise<{ place: PaymentPlace; held: bigint }> => {
  const places = await terms.holdingPlacesOf(orderId)
  let most = 0n
  for (const place of places.filter((each) => each.currency === currency)) {
    const held = await readHeld(rpc, place)
    const kept = held < units ? await readKept(rpc, operator, place) : 0n
    if (held + kept >= units) return { place, held }
    if (held > most) most = held
  }
  const message = `${chain} shows ${most} of ${units} base units of ${currency} for ${orderId}`
  throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 5 })
}

/** Pays out of the account of an order. */
const payOut = (
  parts: ChainParts,
  { key, options }: Keyed,
  { kind, orderId, currency, units, recipient, feeUnits }: PayOut,
): Promise<WriteResult> =>
  parts.use(({ rpc, operator: signer, outbox }) => {
    const { placeOf, addressOf, signerOf } = parts
    const { account, references } = placeOf({ orderId, currency })
    const to = addressOf(recipient)
    const makeInstructions = async () => {
      const { place, held } = await findHolding(rpc, parts, { orderId, currency, units })
      return createPayOut({ rpc, operator: signer, signerOf }, place, {
        units,
        recipient: to,
        isAttributed: kind !== 'unattributed',
        feeUnits,
        // A swept order is paid no more. If a payment comes at this moment, this attempt fails and the next sweeps.
        isLast: kind === 'sweep' && held === units,
      })
    }
    const trace = kind === 'unattributed' ? account : references[0]
    return outbox.send(key, { makeInstructions, trace, isGuarded: true }, options)
  })

/** Refunds from the operator's own account. The place of the refund is only named, and holds nothing. */
const refundFromTreasury = (
  { placeOf, addressOf, use }: ChainParts,
  { key, options }: Keyed,
  { currency, units, recipient, feeUnits }: RefundInput,
): Promise<WriteResult> =>
  use(({ rpc, operator: signer, outbox }) => {
    const place = placeOf({ orderId: firstKey(key), currency })
    const to = addressOf(recipient)
    const makeInstructions = () =>
      createTreasuryRefund({ rpc, operator: signer }, place, { units, recipient: to, feeUnits })
    return outbox.send(key, { makeInstructions, trace: place.references[0], isGuarded: true }, options)
  })

/** Creates the part of a port that refunds and sweeps payments of orders on Solana. */
export const createPayOutPort = (parts: ChainParts): PayOutPort => {
  const { chain, operator, placeOf, addressOf, read } = parts
  return {
    refund: async (key, { isFromTreasury, feeUnits = 0n, ...rest }, options) => {
      const keyed = { key, options }
      const input = { ...rest, feeUnits }
      const result = await (isFromTreasury
        ? refundFromTreasury(parts, keyed, input)
        : payOut(parts, keyed, { ...input, kind: 'refund' }))
      const { mint } = placeOf(input)
      if (result.status !== 'succeeded' || !mint || input.recipient === operator) return result
      const fee = await readRefundFee(parts.options.db, operator, { mint, txId: result.txId })
      return { ...result, ...(fee > 0n && { feeUnits: fee }) }
    },
    sweep: (key, { recipient = operator, ...input }, options) =>
      payOut(parts, { key, options }, { ...input, recipient, kind: 'sweep' }),
    sendUnattributed: (key, input, options) =>
      payOut(parts, { key, options }, { ...input, kind: 'unattributed' }),
    estimateRefundFee: (input) =>
      read(async (rpc) => {
        const place = placeOf(input)
        const [fee, rent] = await Promise.all([
          estimateFee(rpc, [place.account], { signatures: 2n }),
          estimateRent(rpc, operator, { mint: place.mint, owner: addressOf(input.recipient) }),
        ])
        return fee + rent
      }),
    estimateRefundRent: (input) =>
      read(async (rpc) => {
        const { mint } = placeOf(input)
        return estimateRent(rpc, operator, { mint, owner: addressOf(input.recipient) })
      }),
    // Whoever can pay here can be paid: there is no code that rejects coins, so nothing is ever credited.
    payOutCredit: async () => ({ status: 'failed', reason: `nothing is credited on ${chain}` }),
    findCreditPayOut: async () => undefined,
  }
}
