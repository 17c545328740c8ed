import type { Instruction } from '@solana/kit'
import type { WriteResult } from '#base/ports/write.js'
import type { ChainParts } from '../chainParts.js'
import type { Keyed, Write } from '../outbox/write.js'
import type { MintParts } from './mintInstructions.js'

/** What writes to collections need. */
export type CollectionParts = Pick<ChainParts, 'chain' | 'operator' | 'compression' | 'use' | 'read'>

/** Builds the instructions of a write. */
export type Make = (parts: MintParts) => Promise<Instruction[]>

/** Sends a write to a collection under a key, or waits for the one that was sent. */
export const sendInstructions = (
  { use }: Pick<CollectionParts, 'use'>,
  { key, options }: Keyed,
  { make, ...write }: { make: Make } & Omit<Write, 'makeInstructions'>,
): Promise<WriteResult> =>
  use(({ rpc, operator: signer, outbox }) => {
    const rentFor = (size: number) => rpc.getMinimumBalanceForRentExemption(BigInt(size)).send()
    const makeInstructions = () => make({ operator: signer, rentFor })
    return outbox.send(key, { makeInstructions, ...write }, options)
  })
