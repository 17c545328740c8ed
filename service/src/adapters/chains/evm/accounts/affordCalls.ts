import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '#base/errors.js'
import { readDataFees } from '../connection/dataFee.js'
import { costOf, maxSponsoredGas, type PricedCall } from '../outbox/signCall.js'
import {
  explainGas,
  explainLack,
  type Funds,
  type FundsOptions,
  readFunds,
  readGasFunds,
} from './accountFunds.js'
import { settleGifts, topUpGas } from './topUpGas.js'

/**
 * How many gas top-ups may arrive for one signature, since fees may rise meanwhile, and how many are sent at
 * most.
 */
const maxGifts = 5
const maxSent = 10
const looksPerGift = 10

/** The most gas that one top-up pays for, however many calls wait for it. */
const maxGiftGas = 8n * maxSponsoredGas

const later = (message: string): ServiceError =>
  new ServiceError('chain-unavailable', message, { retryAfterSeconds: 5 })

/** Returns the error of an account that cannot pay before its earlier calls have landed. */
export const createTooEarly = ({ address }: Pick<FundsOptions, 'address'>): ServiceError =>
  later(`Earlier transactions of ${address} have not landed yet.`)

/** A call to pay for. @units `neededWei` in wei, with its value and what the chain charges for its data */
type DueCall = { key: string; priced: PricedCall; neededWei: bigint }

const sentBy = ({ priced: { value = 0n } }: DueCall): bigint => value

type ReadFunds = () => Promise<Funds>

/** Waits until the node shows the top-up: a node may show a receipt before the coins. */
const isSeen = async (read: ReadFunds, neededWei: bigint, pollMs: number): Promise<boolean> => {
  for (let look = 0; look < looksPerGift; look++) {
    if ((await read()).spareWei >= neededWei) return true
    await sleep(pollMs)
  }
  return false
}

/**
 * Reads an account's coins. While they cover a value, and unrecorded gas top-ups or spending leave it unclear
 * whether they are the account's own, it waits: an earlier call may have landed a moment ago.
 */
const readClear = async (options: FundsOptions, read: ReadFunds, value: bigint): Promise<Funds> => {
  for (let look = 0; ; look++) {
    const funds = await read()
    const isUnclear = explainLack(funds, value) !== undefined && funds.spareWei >= value && !funds.isSettled
    if (!isUnclear || look === looksPerGift) return funds
    await settleGifts(options)
    await sleep(options.pollMs)
  }
}

/** What the account and its sponsor can pay with. @units wei */
type Means = Pick<Funds, 'spareWei' | 'ownWei'> & {
  /** What the operator may add for the gas of calls behind the first one. */
  giftableWei: bigint
}

/**
 * Counts how many of the first calls can be paid for. The account's own coins pay for their values, so that a top-up is
 * never more than their gas costs.
 */
const countAffordable = (
  calls: readonly DueCall[],
  { spareWei, ownWei, giftableWei }: Means,
): { count: number; neededWei: bigint } => {
  let valueWei = 0n
  let neededWei = 0n
  let giftGas = 0n
  for (const [count, call] of calls.entries()) {
    const { gas } = call.priced
    valueWei += sentBy(call)
    const withThis = neededWei + call.neededWei
    const isGiven = withThis > spareWei
    if (isGiven) giftGas += gas
    const isLacking = sentBy(call) > 0n && valueWei > ownWei
    const isTooMuch = isGiven && (gas > maxSponsoredGas || giftGas > maxGiftGas)
    // Whether the operator has enough for the first one is looked at when its top-up is signed.
    const isPoor = count > 0 && withThis - spareWei > giftableWei
    if (isLacking || isTooMuch || isPoor) return { count, neededWei }
    neededWei = withThis
  }
  return { count: calls.length, neededWei }
}

/**
 * How many of the first calls can be paid for. If that is none, `lack` says why, and `isEarly` that earlier calls of the
 * account may change it.
 */
export type Afforded = { count: number; lack?: string; isEarly?: true }

const early: Afforded = { count: 0, isEarly: true }

/** Returns why the first call cannot be paid for, if neither the account nor its sponsor can pay for it. */
const judgeFirst = (
  { isSponsored }: FundsOptions,
  { spareWei, ownWei, isWaiting, isSettled }: Funds,
  first: DueCall,
): Afforded | undefined => {
  const value = sentBy(first)
  const { gas } = first.priced
  const lack = explainLack({ spareWei, ownWei }, value)
  if (lack !== undefined && spareWei >= value) return isSettled ? { count: 0, lack } : early
  const gasLack = explainGas({ spareWei, neededWei: first.neededWei, value, gas, isSponsored })
  if (gasLack === undefined) return undefined
  // Earlier calls may cost less than the amount reserved for them.
  return isWaiting ? early : { count: 0, lack: gasLack }
}

/** Has the operator pay for the gas that an account lacks, with one top-up for all calls. */
const topUp = async (
  options: FundsOptions,
  read: ReadFunds,
  { calls, attempt, found }: { calls: readonly DueCall[]; attempt: number; found: Funds },
): Promise<Afforded> => {
  const { address, chain, client, sponsor, pollMs } = options
  const needsGift = calls.reduce((sum, call) => sum + call.neededWei, 0n) > found.spareWei
  // The operator needs the rest for the gas of the top-up, and of its own writes.
  const giftableWei =
    needsGift && calls.length > 1 ? (await client.getBalance({ address: sponsor.operator })) / 2n : 0n
  const { count, neededWei } = countAffordable(calls, { ...found, giftableWei })
  const key = calls[0]?.key
  let cameCount = 0
  for (let gift = 0; gift < maxSent && cameCount < maxGifts; gift++) {
    const { spareWei } = gift ? await read() : found
    if (spareWei >= neededWei) return { count }
    if (!(await topUpGas(options, `gas:${key}:${attempt}:${gift}`, neededWei - spareWei))) continue
    if (await isSeen(read, neededWei, pollMs)) return { count }
    cameCount++
  }
  if (cameCount === maxGifts) throw later(`${chain} does not show the funds for gas of ${address}`)
  return { count: 0, lack: `funds for gas were sent to it ${maxSent} times and did not arrive` }
}

/**
 * Ensures that an account can pay for calls, which are signed in their order. The account's own coins pay for the values,
 * then for gas. If it sponsors the calls, the operator tops up the missing gas of all of them at once.
 *
 * @param attempt - The number of the attempt at signing the first call.
 */
export const affordCalls = async (
  options: FundsOptions,
  priced: readonly { key: string; priced: PricedCall }[],
  attempt: number,
): Promise<Afforded> => {
  const { client, batching, chainId, isSponsored } = options
  const keys = priced.map(({ key }) => key)
  const by = priced.length > 1 ? batching : client
  const fees = await readDataFees(
    by,
    chainId,
    priced.map((call) => call.priced),
  )
  const calls = priced.map((call, at) => ({ ...call, neededWei: costOf(call.priced) + (fees[at] ?? 0n) }))
  const [first] = calls
  if (!first) return { count: 0 }
  const hasValue = calls.some((call) => sentBy(call) > 0n)
  const read = () => (hasValue ? readFunds(options, keys) : readGasFunds(options, keys))
  const found = await readClear(options, read, sentBy(first))
  const judged = judgeFirst(options, found, first)
  if (judged) return judged
  if (!isSponsored) return countAffordable(calls, { ...found, giftableWei: 0n })
  return topUp(options, read, { calls, attempt, found })
}

/**
 * Ensures that an account can pay for a call that is signed again.
 *
 * @returns Why the account cannot pay, if it is not sponsored and no earlier call may leave it more.
 */
export const affordCall = async (
  options: FundsOptions,
  call: { key: string; priced: PricedCall },
  attempt: number,
): Promise<string | undefined> => {
  const { lack, isEarly } = await affordCalls(options, [call], attempt)
  if (isEarly) throw createTooEarly(options)
  return lack
}
