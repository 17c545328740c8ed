import { explainAccountLack } from 'kassa/engine'
import type { Address, PublicClient } from 'viem'
import { most } from '../connection/fees.js'
import type { Outbox } from '../outbox/outbox.js'
import { costOf, maxSponsoredGas, readSignedCall } from '../outbox/signCall.js'
import { signedFrom } from '../outbox/signed.js'
import type { AccountOnChain } from './openGasTopUps.js'
import { readWithUnspent } from './sponsoredGas.js'

/** The account whose funds are read, and the sponsor that tops up its gas. */
export type FundsOptions = AccountOnChain & {
  /** A client that sends the calls of a moment in one request. */
  batching: PublicClient
  chainId: number
  /** The operator whose gas top-ups the account holds. */
  sponsor: { outbox: Outbox; operator: Address }
  /** Whether the operator tops up the account's gas. */
  isSponsored: boolean
  pollMs: number
}

/** An account's coins, in wei, after deducting all signed transactions that are in no block yet. */
export type Funds = {
  spareWei: bigint
  /** The part that may be sent as a call's value. Gas top-ups pay only for gas. */
  ownWei: bigint
  /** Whether the account has signed calls ahead of the requested ones. */
  isWaiting: boolean
  /**
   * Whether all gas top-ups and spending are recorded. Until then, the account may own more than `ownWei`.
   */
  isSettled: boolean
}

const readSpare = async (
  { db, client, chain, address }: AccountOnChain,
  exceptKeys: readonly string[],
): Promise<Pick<Funds, 'spareWei' | 'isWaiting'> & { gasWei: bigint }> => {
  // Both reads are of one block. Otherwise a call that lands between them would count twice, or not at all.
  const blockNumber = await client.getBlockNumber({ cacheTime: 0 })
  const [balance, nonce] = await Promise.all([
    client.getBalance({ address, blockNumber }),
    client.getTransactionCount({ address, blockNumber }),
  ])
  const signed = await signedFrom(db, { chain, sender: address, nonce })
  const first = signed.find(({ key }) => exceptKeys.includes(key))
  const others = signed.filter(({ key }) => !exceptKeys.includes(key))
  const calls = others.map(readSignedCall)
  return {
    spareWei: calls.reduce((left, call) => left - costOf(call), balance),
    gasWei: calls.reduce((sum, { value = 0n, ...call }) => sum + costOf(call), 0n),
    // Later nonces wait for this one.
    isWaiting: others.some((other) => !first || other.nonce < first.nonce),
  }
}

/**
 * Reads what an account can spend.
 *
 * @param exceptKeys - The keys of the calls to pay for, in their order. Funds reserved for them stay available to them.
 */
export const readFunds = async (
  account: AccountOnChain,
  exceptKeys: readonly string[] = [],
): Promise<Funds> => {
  const read = () => readSpare(account, exceptKeys)
  const { found, unspentWei, isSettled } = await readWithUnspent(account, read, exceptKeys[0])
  const { spareWei, gasWei, isWaiting } = found
  return { spareWei, ownWei: spareWei - most(unspentWei - gasWei, 0n), isWaiting, isSettled }
}

/** Reads the same for calls that send no coins, so that it does not matter which coins are the account's own. */
export const readGasFunds = async (
  account: AccountOnChain,
  exceptKeys: readonly string[] = [],
): Promise<Funds> => {
  const { spareWei, isWaiting } = await readSpare(account, exceptKeys)
  return { spareWei, ownWei: spareWei, isWaiting, isSettled: true }
}

/** Returns why an account's own coins do not cover a call's value, or `undefined` if they do. */
export const explainLack = (
  { spareWei, ownWei }: Pick<Funds, 'spareWei' | 'ownWei'>,
  value: bigint,
): string | undefined => {
  if (value === 0n || ownWei >= value) return undefined
  return spareWei < value
    ? explainAccountLack({ heldWei: spareWei, sentWei: value })
    : `the wallet has ${most(ownWei, 0n)} wei of its own, less than the ${value} to send; the rest was sent to it for gas`
}

/**
 * Returns why a call and its gas, which cost `neededWei`, cannot be paid, or `undefined` if the account or
 * its sponsor can pay.
 */
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
    return `the account has ${spareWei} wei to spare, less than the ${neededWei} that the call and its gas cost`
  }
  return gas > maxSponsoredGas
    ? `it needs ${gas} gas, more than the ${maxSponsoredGas} that the service pays for`
    : undefined
}
