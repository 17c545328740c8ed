import type { Address } from 'viem'
import { most } from '../fees.js'
import type { Outbox } from '../outbox.js'
import { costOf, mostSponsoredGas, readSignedCall } from '../signCall.js'
import { findSigned, signedFrom } from '../signed.js'
import { type AccountOnChain, readUnspent } from './sponsoredGas.js'

/** Whose funds these are, and who helps out with gas money. */
export type FundsOptions = AccountOnChain & {
  chainId: number
  /** Whose gas money it is that the account has. */
  sponsor: { outbox: Outbox; operator: Address }
  /** Whether it is given more. */
  isSponsored: boolean
  pollMs: number
}

/** An account's coins, in wei, beside all that was signed before and is in no block yet. */
export type Funds = {
  spareWei: bigint
  /** What of them may go with a call: gas money that it was given is for its gas. */
  ownWei: bigint
  /** Whether calls of it are on their way, ahead of the one that is asked for. */
  isWaiting: boolean
  /** Whether all that was given and spent is written down: until then it may have more of its own. */
  isSettled: boolean
}

/**
 * Reads what an account has to spend.
 *
 * @param exceptKey - Of the call that is to be paid for: what it was signed for is not spent on something else.
 */
export const readFunds = async (account: AccountOnChain, exceptKey?: string): Promise<Funds> => {
  const { db, client, chain, address } = account
  const before = await readUnspent(account, exceptKey)
  // Of one block: a call that lands between the two questions would count twice, or not at all.
  const blockNumber = await client.getBlockNumber({ cacheTime: 0 })
  const [balance, nonce] = await Promise.all([
    client.getBalance({ address, blockNumber }),
    client.getTransactionCount({ address, blockNumber }),
  ])
  const own = exceptKey === undefined ? undefined : await findSigned(db, exceptKey)
  const signed = await signedFrom(db, { chain, sender: address, nonce })
  const others = signed.filter(({ key }) => key !== exceptKey)
  const calls = others.map(readSignedCall)
  const spareWei = calls.reduce((left, call) => left - costOf(call), balance)
  const gasWei = calls.reduce((sum, { value = 0n, ...call }) => sum + costOf(call), 0n)
  // Read before and after: money that comes or goes meanwhile is nobody's to send.
  const after = await readUnspent(account, exceptKey)
  const unspentWei = most(before.unspentWei, after.unspentWei)
  return {
    spareWei,
    ownWei: spareWei - most(unspentWei - gasWei, 0n),
    // Those behind it wait for it.
    isWaiting: others.some((other) => !own || other.nonce < own.nonce),
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
