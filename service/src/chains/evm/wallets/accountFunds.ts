import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from 'viem'
import { ServiceError } from '../../../errors.js'
import { readDataFee } from '../dataFee.js'
import { most } from '../fees.js'
import type { Outbox, OutboxCall } from '../outbox.js'
import { costOf, type PricedCall, readSignedCall } from '../signCall.js'
import { signedFrom } from '../signed.js'
import { type AccountOnChain, readUnspent, recordGift } from './sponsoredGas.js'

/** Who pays for gas. */
export type Sponsor = { outbox: Outbox; operator: Address }

/** Whose funds these are, and who helps out with gas money. */
export type FundsOptions = AccountOnChain & {
  chainId: number
  sponsor: Sponsor | undefined
  pollMs: number
}

/** An account's coins, in wei, beside all that was signed before and is in no block yet. */
export type Funds = {
  spareWei: bigint
  /** What of them may go with a call: gas money that it was given is for its gas. */
  ownWei: bigint
  /** Whether calls of it are on their way. */
  isWaiting: boolean
  /** Whether all that was given and spent is written down: until then it may have more of its own. */
  isSettled: boolean
}

/** The most gas of one call that is paid for: whoever may send from an account chooses what it burns. */
const mostSponsoredGas = 3_000_000n

/** Reads what an account has to spend. */
export const readFunds = async (account: AccountOnChain, exceptKey?: string): Promise<Funds> => {
  const { db, client, chain, address } = account
  const before = await readUnspent(account, exceptKey)
  // Of one block: a call that lands between the two questions would count twice, or not at all.
  const blockNumber = await client.getBlockNumber({ cacheTime: 0 })
  const [balance, nonce] = await Promise.all([
    client.getBalance({ address, blockNumber }),
    client.getTransactionCount({ address, blockNumber }),
  ])
  const signed = await signedFrom(db, { chain, sender: address, nonce })
  const others = signed.filter(({ key }) => key !== exceptKey).map(readSignedCall)
  const spareWei = others.reduce((left, call) => left - costOf(call), balance)
  const gasWei = others.reduce((sum, { value = 0n, ...call }) => sum + costOf(call), 0n)
  // Read before and after: money that comes or goes meanwhile is nobody's to send.
  const after = await readUnspent(account, exceptKey)
  const unspentWei = most(before.unspentWei, after.unspentWei)
  return {
    spareWei,
    ownWei: spareWei - most(unspentWei - gasWei, 0n),
    isWaiting: others.length > 0,
    isSettled: before.isSettled && after.isSettled,
  }
}

/** Why an account's own coins are too few for what is to go with a call; undefined where they are not. */
export const explainLack = (
  { spareWei, ownWei }: Pick<Funds, 'spareWei' | 'ownWei'>,
  value: bigint,
): string | undefined => {
  if (value === 0n || ownWei >= value) return undefined
  return spareWei < value
    ? `the account has ${spareWei} wei, less than the ${value} that it was to send`
    : `the wallet has ${most(ownWei, 0n)} wei of its own, less than the ${value} that it was to send; the rest is gas money that it was given`
}

/** Why nobody pays for a call and its gas, which come to `neededWei`; undefined where the account does, or is helped. */
export const explainGas = ({
  spareWei,
  neededWei,
  value,
  gas,
  isSponsored,
}: {
  spareWei: bigint
  neededWei: bigint
  value: bigint
  gas: bigint
  isSponsored: boolean
}): string | undefined => {
  if (spareWei >= neededWei) return undefined
  if (!isSponsored || spareWei < value) {
    return `the account has ${spareWei} wei to spare, less than the ${neededWei} that the call and its gas come to`
  }
  return gas > mostSponsoredGas
    ? `it asks for ${gas} gas, more than the ${mostSponsoredGas} that is paid for`
    : undefined
}

/** How often gas money is sent for one signing: fees may rise meanwhile. */
const mostGifts = 5
const looksPerGift = 10

const later = (message: string): ServiceError =>
  new ServiceError('chain-unavailable', message, { retryAfterSeconds: 5 })

/** Waits until what was sent is seen: a node may show a receipt before the coins. */
const isSeen = async (options: FundsOptions, key: string, neededWei: bigint): Promise<boolean> => {
  for (let look = 0; look < looksPerGift; look++) {
    if ((await readFunds(options, key)).spareWei >= neededWei) return true
    await sleep(options.pollMs)
  }
  return false
}

/** Sends gas money, and waits for its block only: were that reorganised, the operator's outbox would send it again. */
const give = async (
  options: FundsOptions,
  { outbox, operator }: Sponsor,
  key: string,
  neededWei: bigint,
): Promise<void> => {
  const { client, chain, address: to } = options
  const makeCall = async (): Promise<OutboxCall> => {
    const isRich = (await client.getBalance({ address: operator })) > neededWei
    if (!isRich) throw later(`The operator has too little on ${chain} to pay for gas.`)
    return { to, data: '0x', value: await recordGift(options, key, neededWei) }
  }
  await new Promise<void>((resolve, reject) => {
    outbox.send(key, makeCall, { onLanded: resolve }).then((result) => {
      if (result.status === 'succeeded') resolve()
      else reject(later(`The operator's gas money did not arrive: ${result.reason}`))
    }, reject)
  })
}

/**
 * Sees to it that an account can pay for a call: its own coins pay for what goes with it, and then for gas; what lacks
 * of gas money comes from the operator, if it sponsors.
 *
 * @returns Why the account cannot pay, when nobody helps.
 */
export const affordCall = async (
  options: FundsOptions,
  key: string,
  call: PricedCall,
  attempt: number,
): Promise<string | undefined> => {
  const { sponsor, address, chain } = options
  const { value = 0n, gas } = call
  const neededWei = costOf(call) + (await readDataFee(options.client, options.chainId, call))
  const funds = await readFunds(options, key)
  const { spareWei, isSettled } = funds
  const lack = explainLack(funds, value)
  if (lack !== undefined && spareWei >= value) {
    if (isSettled) return lack
    throw later(`Earlier transactions of ${address} have not landed yet.`)
  }
  const gasLack = explainGas({ spareWei, neededWei, value, gas, isSponsored: sponsor !== undefined })
  if (gasLack !== undefined || !sponsor) return gasLack
  for (let gift = 0; gift < mostGifts; gift++) {
    const { spareWei: left } = await readFunds(options, key)
    if (left >= neededWei) return undefined
    await give(options, sponsor, `gas:${key}:${attempt}:${gift}`, neededWei - left)
    if (await isSeen(options, key, neededWei)) return undefined
  }
  throw later(`${chain} does not show the gas money of ${address}`)
}
