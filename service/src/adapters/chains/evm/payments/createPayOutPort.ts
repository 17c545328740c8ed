import { ServiceError } from '#base/errors.js'
import type { ChainPort, RefundInput } from '#base/ports/chain.js'
import { firstKey, type PayOutResult, type WriteOptions, type WriteResult } from '#base/ports/write.js'
import type { ChainParts } from '../chainParts.js'
import type { WriteTrace } from '../collections/writeTrace.js'
import type { SendWrite } from '../outbox/createSendWrite.js'
import { isCredited } from './createCreditPort.js'
import { estimateRefundFee } from './estimateRefundFee.js'
import { getUnattributedWrite } from './getUnattributedWrite.js'
import { type Lender, lendToRefund } from './lendToRefund.js'
import { getPayOutCall, getPayOutTrace, sharePayOuts, toPayOut } from './payOutCalls.js'
import { readHeld } from './readHeld.js'

/** A refund or a sweep, and whether it waits until the chain shows the money at its place. */
type PayOut = { kind: 'refund' | 'sweep'; input: RefundInput; isHeldFirst: boolean }

/**
 * Asserts that the contracts hold what is to be paid out. An id pays out once: if a node that is behind shows too
 * little, the rest would stay at the address forever.
 */
const assertHeld = async (
  { options, contracts, tokenOf, read }: ChainParts,
  { orderId, currency, units }: RefundInput,
  trace: WriteTrace,
): Promise<void> => {
  const place = { place: orderId, token: tokenOf(currency) }
  const held = await read((client) => readHeld(client, contracts, place))
  if (held >= units || (await read(trace.look)).state !== 'absent') return
  const message = `${options.chain} shows ${held} of ${units} base units of ${currency} for ${orderId}`
  throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 5 })
}

/** Creates the part of a port that pays out what orders on an EVM chain hold. */
export const createPayOutPort = (parts: ChainParts, send: SendWrite) => {
  const { account, contracts, use, read } = parts

  const pay = async (
    key: string,
    { kind, input, isHeldFirst }: PayOut,
    terms?: WriteOptions,
  ): Promise<PayOutResult> => {
    const payOut = toPayOut(parts, key, input)
    const trace = getPayOutTrace(contracts, payOut)
    const makeCall = async () => {
      if (isHeldFirst) await assertHeld(parts, input, trace)
      return getPayOutCall(contracts, payOut)
    }
    const sharing = sharePayOuts(contracts, kind, payOut)
    const sent = await send(key, { makeCall, trace, sharing }, terms)
    if (sent.status !== 'succeeded' || payOut.token) return sent
    const { txId } = sent
    const isKept = await read((client) => isCredited(client, { ...payOut, txId, router: contracts.router }))
    return isKept ? { status: 'credited', txId, contract: contracts.router } : sent
  }

  /** Puts money of the treasury at the place of a refund, unless the refund was paid out already. */
  const lend = async (
    key: string,
    input: RefundInput,
    terms?: WriteOptions,
  ): Promise<WriteResult | undefined> => {
    const payOut = toPayOut(parts, key, input)
    const trace = getPayOutTrace(contracts, payOut)
    if ((await read(trace.look)).state !== 'absent') return undefined
    return use(({ client, outbox }) => {
      const getHeld: Lender['getHeld'] = (place, token) => readHeld(client, contracts, { place, token })
      const lender = { client, outbox, treasury: account.address, contracts, getHeld }
      return lendToRefund(lender, key, payOut, terms)
    })
  }

  return {
    refund: async (key, { isFromTreasury = false, ...input }, terms) => {
      if (!isFromTreasury) return pay(key, { kind: 'refund', input, isHeldFirst: false }, terms)
      // What the treasury pays leaves from a place of the refund's own, so that it is no payment of the order.
      const own = { ...input, orderId: firstKey(key) }
      const lent = await lend(key, own, terms)
      if (lent?.status === 'failed') return lent
      return pay(key, { kind: 'refund', input: own, isHeldFirst: true }, terms)
    },
    estimateRefundFee: (input) => use(({ client }) => estimateRefundFee(client, parts, input)),
    sweep: (key, { recipient = account.address, ...rest }, terms) =>
      pay(key, { kind: 'sweep', input: { ...rest, recipient }, isHeldFirst: true }, terms),
    sendUnattributed: async (key, input, terms) => send(key, getUnattributedWrite(parts, key, input), terms),
  } satisfies Partial<ChainPort>
}
