import { randomUUID } from 'node:crypto'
import type { Address, Hex } from 'viem'
import { withMutex } from '#base/lib/withMutex.js'
import { findWrite } from './findWrites.js'
import type { OutboxCall, SendTerms, Sharing } from './outboxCall.js'
import type { OutboxParts } from './outboxParts.js'
import { priceCall } from './priceCall.js'
import { type Share, type Sharer, sharedKey, signShared } from './sharedCalls.js'
import { createSharing, type SignedWrite } from './shareTransactions.js'
import { signCall } from './signCall.js'
import { assertNonce, readNonce, signNext } from './signed.js'
import { type Refusal, refuse } from './toResult.js'

/** A call to sign alone under its key. */
type OwnCall = { key: string; call: OutboxCall; assertDue: SendTerms['assertDue'] }

/** A caller that waits for the lock of the nonces holds a connection, so only one per process waits. */
export const withNonce = <Result>(
  { chain, sender }: OutboxParts,
  work: () => Promise<Result>,
): Promise<Result> => withMutex(`nonce:${chain}:${sender}`, work)

const sign = async (parts: OutboxParts, { key, call, assertDue }: OwnCall): Promise<SignedWrite> => {
  const cost = await priceCall(parts, call)
  if ('status' in cost) return cost
  const { priced, chainNonce } = cost
  const { db, chain, sender, isExclusive } = parts
  return withNonce(parts, () =>
    signNext(db, { chain, sender, isExclusive, key, chainNonce, assertDue }, (nonce) =>
      signCall(parts, priced, nonce),
    ),
  )
}

/** Signs a call, or returns why the chain would not accept it. */
const signAlone = async (parts: OutboxParts, own: OwnCall): Promise<SignedWrite> => {
  try {
    return await sign(parts, own)
  } catch (error) {
    const reason = parts.explain(error)
    if (reason === undefined) throw error
    const { db, client, sender: address } = parts
    // What the chain refuses may be done already, by a write that this database does not know.
    if (parts.isExclusive) {
      assertNonce(parts, await client.getTransactionCount({ address }), await readNonce(db, parts))
    }
    // A concurrent caller may have signed first. Then the refusal is that of the second execution.
    return (await findWrite(db, own.key)).outcome ?? refuse(reason, own.call.data)
  }
}

/** Signs one transaction for several calls. Returns `undefined` if the chain would not accept it. */
const signTogether = async (
  parts: OutboxParts,
  { to, join }: { to: Address } & Sharing,
  sharers: readonly Sharer[],
): Promise<Share[] | undefined> => {
  const { db, chain, sender, isExclusive, explain } = parts
  const data = join(sharers.map(({ calldata }) => calldata))
  const key = sharedKey(chain, randomUUID())
  const cost = await priceCall(parts, { to, data }).catch((error) => {
    if (explain(error) === undefined) throw error
    return undefined
  })
  if (!cost || 'status' in cost) return undefined
  const { priced, chainNonce } = cost
  return withNonce(parts, () =>
    signShared(db, { chain, sender, isExclusive, key, chainNonce, sharers }, (nonce, calldata) =>
      // Without those that are not due any more, it needs less gas.
      signCall(parts, { ...priced, data: join(calldata) }, nonce),
    ),
  )
}

/** Signs the call of a write, alone or with others, or returns why the chain would not accept it. */
export type SignWrite = (
  key: string,
  makeCall: () => Promise<OutboxCall | Refusal>,
  terms: SendTerms,
) => Promise<SignedWrite>

/** Creates the function that signs writes of one sender. */
export const createSignWrite = (parts: OutboxParts): SignWrite => {
  const share = createSharing()
  return async (key, makeCall, { assertDue, sharing }) => {
    const call = await makeCall()
    if ('status' in call) return call
    if (!sharing) return signAlone(parts, { key, call, assertDue })
    const { to, data } = call
    const toCall = (calldata: Hex): OutboxCall => ({ to, data: calldata })
    return share(
      sharing.name,
      { key, calldata: data, assertDue },
      {
        alone: ({ calldata, ...one }) => signAlone(parts, { ...one, call: toCall(calldata) }),
        together: (sharers) => signTogether(parts, { to, ...sharing }, sharers),
      },
    )
  }
}
