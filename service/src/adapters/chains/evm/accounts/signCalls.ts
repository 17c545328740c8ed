import { setTimeout as sleep } from 'node:timers/promises'
import { offerFees, readBlockTerms } from '../connection/fees.js'
import { type SignWrite, withNonce } from '../outbox/createSignWrite.js'
import type { OutboxCall } from '../outbox/outboxCall.js'
import type { OutboxParts } from '../outbox/outboxParts.js'
import type { SignedWrite } from '../outbox/shareTransactions.js'
import { signAll } from '../outbox/signAll.js'
import { explainLength, explainMisfit, gasFor, type PricedCall, signCall } from '../outbox/signCall.js'
import { type Refusal, refuse } from '../outbox/toResult.js'
import { explainLack, type Funds, type FundsOptions, readFunds, readGasFunds } from './accountFunds.js'
import { affordCalls, createTooEarly } from './affordCalls.js'
import { settleGifts } from './topUpGas.js'

/** How long to wait for earlier calls that may supply what a call lacks. */
const patienceMs = 60_000
/** How many calls are signed together at most. */
const maxTogether = 100

/** A call to sign under a key. */
type UnsignedCall = {
  key: string
  call: OutboxCall
  /** Describes a contract's refusal. Returns `undefined` if the error is not one. */
  explain(error: unknown): string | undefined
}

/** What the account can sign with. */
export type AccountSigning = FundsOptions & {
  /** Returns how many calls of the account this process has signed that have not ended. */
  countOpen(): number
}

/** What the chain says of a call as the account would make it now. */
type Trial =
  | { priced: PricedCall }
  | {
      refusal: Refusal
      /** Whether earlier calls of the account may bring the state that it requires. */
      mayPass: boolean
    }
  | { error: unknown }

const sentBy = ({ call: { value = 0n } }: UnsignedCall): bigint => value

/** Simulates calls and prices them. */
const tryAll = async (
  { client, batching = client, account, chain, maxFeePerGas }: OutboxParts,
  calls: readonly UnsignedCall[],
): Promise<Trial[]> => {
  const by = calls.length > 1 ? batching : client
  const terms = readBlockTerms(client)
  const tryOne = async ({ call, explain }: UnsignedCall): Promise<Trial> => {
    const refused = (reason: string, mayPass: boolean): Trial => ({
      refusal: refuse(reason, call.data),
      mayPass,
    })
    const excess = explainLength(call.data)
    if (excess !== undefined) return refused(excess, false)
    try {
      const needed = await by.estimateGas({ account: account.address, ...call })
      const { gasLimit, asked } = await terms
      const misfit = explainMisfit(needed, gasLimit)
      if (misfit !== undefined) return refused(misfit, false)
      const fees = offerFees(chain, asked, maxFeePerGas)
      return { priced: { ...call, gas: gasFor(needed, gasLimit), fees } }
    } catch (error) {
      const reason = explain(error)
      return reason === undefined ? { error } : refused(reason, true)
    }
  }
  const [trials] = await Promise.all([Promise.all(calls.map(tryOne)), terms])
  return trials
}

/** Counts how many of the first calls send no more than the account's own coins. */
const countCovered = ({ ownWei }: Funds, calls: readonly UnsignedCall[]): number => {
  let valueWei = 0n
  const end = calls.findIndex((call) => {
    valueWei += sentBy(call)
    return sentBy(call) > 0n && valueWei > ownWei
  })
  return end < 0 ? calls.length : end
}

/** Returns the outcome of a call that sends more than the account has. It is undecided while coins may be on their way. */
const judgeLack = async (
  signing: AccountSigning,
  { isWaiting, isSettled, spareWei, ownWei }: Funds,
  call: UnsignedCall,
): Promise<SignedWrite[]> => {
  const lack = explainLack({ spareWei, ownWei }, sentBy(call))
  const isFinal = !isWaiting && (isSettled || spareWei < sentBy(call))
  if (lack !== undefined && isFinal) return [refuse(lack, undefined)]
  if (!isSettled) await settleGifts(signing)
  return []
}

/** Signs calls that the chain accepts, as far as they can be paid for. */
const signPriced = async (
  parts: OutboxParts,
  signing: AccountSigning,
  priced: readonly { key: string; priced: PricedCall }[],
): Promise<SignedWrite[]> => {
  const { client, db, chain, sender } = parts
  const { count, lack, isEarly } = await affordCalls(signing, priced, 1)
  if (isEarly && !signing.countOpen()) throw createTooEarly(signing)
  if (lack !== undefined) return [refuse(lack, priced[0]?.priced.data)]
  if (!count) return []
  const chainNonce = await client.getTransactionCount({ address: sender, blockTag: 'pending' })
  const writes = priced.slice(0, count).map((call) => ({
    key: call.key,
    sign: (nonce: number) => signCall(parts, call.priced, nonce),
  }))
  return withNonce(parts, () => signAll(db, { chain, sender, chainNonce }, writes))
}

/** Returns the calls that the chain accepts, up to the first one that it does not accept. */
const takePriced = (calls: readonly UnsignedCall[], trials: readonly Trial[]) => {
  const end = trials.findIndex((trial) => !('priced' in trial))
  return calls.slice(0, end < 0 ? calls.length : end).flatMap(({ key }, at) => {
    const trial = trials[at]
    return trial && 'priced' in trial ? [{ key, priced: trial.priced }] : []
  })
}

/**
 * Signs the first of some calls together, or refuses the very first one. A call that the account's earlier calls may
 * help waits for them.
 *
 * @param isCareful - Whether it is read what is ahead of the first call before that call is simulated.
 * @returns The outcomes of the first calls, in their order: none if the very first one has to wait.
 */
const signFirst = async (
  parts: OutboxParts,
  signing: AccountSigning,
  calls: readonly UnsignedCall[],
  isCareful = false,
): Promise<SignedWrite[]> => {
  const [first] = calls
  if (!first) return []
  const keys = calls.map(({ key }) => key)
  // Nodes do not simulate a call whose coins are not there.
  const hasValue = calls.some((call) => sentBy(call) > 0n)
  const readAhead = hasValue ? readFunds : isCareful ? readGasFunds : undefined
  const funds = await readAhead?.(signing, keys)
  const covered = funds ? calls.slice(0, countCovered(funds, calls)) : calls
  if (funds && !covered.length) return judgeLack(signing, funds, first)
  const trials = await tryAll(parts, covered)
  const priced = takePriced(covered, trials)
  if (priced.length) return signPriced(parts, signing, priced)
  const [trial] = trials
  if (trial && 'error' in trial) throw trial.error
  if (!trial || !('refusal' in trial)) return []
  if (!trial.mayPass) return [trial.refusal]
  // What is ahead of it may have landed between its simulation and now.
  if (!funds) return signFirst(parts, signing, [first], true)
  return funds.isWaiting ? [] : [trial.refusal]
}

/**
 * Creates the function that signs the calls of an account, in the order in which they come. Calls that come at the same
 * time, or while others are signed, are signed together. One that fails holds up those behind it, which may need it.
 */
export const createCallSigning =
  (signing: AccountSigning) =>
  (parts: OutboxParts): SignWrite => {
    const waiting: (UnsignedCall & {
      resolve: (signed: SignedWrite) => void
      reject: (error: unknown) => void
    })[] = []
    let isWorking = false

    const signWaiting = async (): Promise<void> => {
      let count = maxTogether
      let stuckAtMs: number | undefined
      while (waiting.length) {
        const calls = waiting.slice(0, count)
        const outcomes = await signFirst(parts, signing, calls)
        for (const outcome of outcomes) waiting.shift()?.resolve(outcome)
        // Where calls wait for each other, few are simulated in vain.
        count =
          outcomes.length < calls.length ? Math.max(outcomes.length, 1) : Math.min(count * 4, maxTogether)
        stuckAtMs = outcomes.length ? undefined : (stuckAtMs ?? Date.now())
        if (stuckAtMs === undefined) continue
        if (Date.now() - stuckAtMs >= patienceMs) throw createTooEarly(signing)
        await sleep(signing.pollMs)
      }
    }
    const work = async (): Promise<void> => {
      isWorking = true
      try {
        await signWaiting()
      } catch (error) {
        for (const { reject } of waiting.splice(0)) reject(error)
      }
      isWorking = false
    }

    return async (key, makeCall, { explain = parts.explain }) => {
      const call = await makeCall()
      if ('status' in call) return call
      return new Promise((resolve, reject) => {
        waiting.push({ key, call, explain, resolve, reject })
        if (!isWorking) queueMicrotask(() => !isWorking && void work())
      })
    }
  }
