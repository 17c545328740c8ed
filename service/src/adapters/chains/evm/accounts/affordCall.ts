import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '#base/errors.js'
import { readDataFee } from '../connection/dataFee.js'
import { costOf, type PricedCall } from '../outbox/signCall.js'
import { explainGas, explainLack, type Funds, type FundsOptions, readFunds } from './accountFunds.js'
import { settleGifts, topUpGas } from './topUpGas.js'

/**
 * How many gas top-ups may arrive for one signature, since fees may rise meanwhile, and how many are sent at
 * most.
 */
const maxGifts = 5
const maxSent = 10
const looksPerGift = 10

const later = (message: string): ServiceError =>
  new ServiceError('chain-unavailable', message, { retryAfterSeconds: 5 })

/** Waits until the node shows the top-up: a node may show a receipt before the coins. */
const isSeen = async (options: FundsOptions, key: string, neededWei: bigint): Promise<boolean> => {
  for (let look = 0; look < looksPerGift; look++) {
    if ((await readFunds(options, key)).spareWei >= neededWei) return true
    await sleep(options.pollMs)
  }
  return false
}

/**
 * Reads an account's coins. While they cover a value, and unrecorded gas top-ups or spending leave it unclear
 * whether they are the account's own, it waits: an earlier call may have landed a moment ago.
 */
const readOwnFunds = async (options: FundsOptions, key: string, value: bigint): Promise<Funds> => {
  for (let look = 0; ; look++) {
    const funds = await readFunds(options, key)
    const isUnclear = explainLack(funds, value) !== undefined && funds.spareWei >= value && !funds.isSettled
    if (!isUnclear || look === looksPerGift) return funds
    await settleGifts(options)
    await sleep(options.pollMs)
  }
}

/**
 * Ensures that an account can pay for a call. The account's own coins pay for the value, then for gas. If it
 * sponsors the call, the operator tops up the missing gas.
 *
 * @returns Why the account cannot pay, if it is not sponsored and no earlier call may leave it more.
 */
export const affordCall = async (
  options: FundsOptions,
  { key, attempt }: { key: string; attempt: number },
  call: PricedCall,
): Promise<string | undefined> => {
  const { address, chain, isSponsored } = options
  const { value = 0n, gas } = call
  const neededWei = costOf(call) + (await readDataFee(options.client, options.chainId, call))
  const funds = await readOwnFunds(options, key, value)
  const { spareWei, isWaiting, isSettled } = funds
  const tooEarly = () => later(`Earlier transactions of ${address} have not landed yet.`)
  const lack = explainLack(funds, value)
  if (lack !== undefined && spareWei >= value) {
    if (isSettled) return lack
    throw tooEarly()
  }
  const gasLack = explainGas({ spareWei, neededWei, value, gas, isSponsored })
  // Earlier calls may cost less than the amount reserved for them.
  if (gasLack !== undefined && isWaiting) throw tooEarly()
  if (gasLack !== undefined || !isSponsored) return gasLack
  let cameCount = 0
  for (let gift = 0; gift < maxSent && cameCount < maxGifts; gift++) {
    const { spareWei: left } = await readFunds(options, key)
    if (left >= neededWei) return undefined
    if (!(await topUpGas(options, `gas:${key}:${attempt}:${gift}`, neededWei - left))) continue
    if (await isSeen(options, key, neededWei)) return undefined
    cameCount++
  }
  if (cameCount < maxGifts) return `funds for gas were sent to it ${maxSent} times and did not arrive`
  throw later(`${chain} does not show the funds for gas of ${address}`)
}
