import type { KeptRefusal } from './refusals.js'
import type { Share, Sharer } from './sharedCalls.js'
import type { SignedTransaction } from './signed.js'
import type { Refusal } from './toResult.js'

/** What signing a write ended with: its transaction, alone or shared, or why it is not sent. */
export type SignedWrite = SignedTransaction | KeptRefusal | Refusal

/** How the calls of a group are signed. */
export type SharedSigning = {
  /** Signs one transaction for several calls. Returns `undefined` if the chain would not accept it. */
  together(sharers: readonly Sharer[]): Promise<Share[] | undefined>
  alone(sharer: Sharer): Promise<SignedWrite>
}

/** How many calls share a transaction at most, and of how many characters: few enough for every chain’s gas limit. */
const maxSharers = 50
const maxLength = 64_000

/** How long after a transaction is signed the calls of the next one are gathered. */
const gatherMs = 200

type Waiting = { sharer: Sharer; resolve: (signed: SignedWrite) => void; reject: (error: unknown) => void }

type Group = {
  waiting: Waiting[]
  /** Ends the gathering. */
  proceed(): void
}

/**
 * Signs calls of one group that come soon after each other as one transaction. A call that comes alone is signed at
 * once. If the chain would not accept a shared transaction, its calls are signed by halves, so that the one that it
 * refuses holds up no other.
 */
export const createSharing = () => {
  const groups = new Map<string, Group>()

  const signAlone = ({ sharer, resolve, reject }: Waiting, { alone }: SharedSigning): Promise<void> =>
    alone(sharer).then(resolve, reject)

  const signAll = async (members: readonly Waiting[], signing: SharedSigning): Promise<void> => {
    const [first] = members
    if (first && members.length === 1) return signAlone(first, signing)
    const shares = await signing.together(members.map(({ sharer }) => sharer)).catch((error) => {
      for (const { reject } of members) reject(error)
      return []
    })
    if (!shares) {
      const middle = Math.ceil(members.length / 2)
      await signAll(members.slice(0, middle), signing)
      return signAll(members.slice(middle), signing)
    }
    for (const [at, share] of shares.entries()) {
      const member = members[at]
      if (!member) continue
      if (share === 'apart') await signAlone(member, signing)
      else if ('outcome' in share) member.resolve(share.outcome)
      else member.reject(share.refusal)
    }
  }

  /** Takes the next calls of a group that fit into one transaction. */
  const takeNext = (waiting: Waiting[]): Waiting[] => {
    let length = 0
    const end = waiting.slice(0, maxSharers).findIndex(({ sharer }) => {
      length += sharer.calldata.length
      return length > maxLength
    })
    return waiting.splice(0, end < 0 ? maxSharers : Math.max(end, 1))
  }

  const gather = (group: Group): Promise<void> =>
    new Promise((resolve) => {
      if (group.waiting.length >= maxSharers) return resolve()
      group.proceed = resolve
      setTimeout(resolve, gatherMs)
    })

  const work = async (name: string, group: Group, signing: SharedSigning): Promise<void> => {
    while (group.waiting.length) {
      await signAll(takeNext(group.waiting), signing)
      await gather(group)
    }
    groups.delete(name)
  }

  /** Signs a call, alone or with others of its group. */
  return (name: string, sharer: Sharer, signing: SharedSigning): Promise<SignedWrite> =>
    new Promise((resolve, reject) => {
      const known = groups.get(name)
      const group = known ?? { waiting: [], proceed: () => {} }
      group.waiting.push({ sharer, resolve, reject })
      if (group.waiting.length >= maxSharers) group.proceed()
      if (known) return
      groups.set(name, group)
      void work(name, group, signing)
    })
}
