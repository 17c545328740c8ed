import type { Address, Instruction } from '@solana/kit'
import { ServiceError } from '#base/errors.js'
import type { WriteResult } from '#base/ports/write.js'
import type { Keyed } from '../outbox/write.js'
import { createUpdateInstructions, type MintParts, type OnChainMetadata } from './mintInstructions.js'
import { readMint, type ServiceMint } from './readMint.js'
import { type CollectionParts, type Make, sendInstructions } from './sendInstructions.js'

/** The chain has a newer change than the one to write. */
class NewerError extends Error {}

const requireMint = async ({ chain, read }: CollectionParts, mint: Address): Promise<ServiceMint> => {
  const known = await read((rpc) => readMint(rpc, mint))
  // A node that is behind may not show it yet.
  if (known) return known
  throw new ServiceError('chain-unavailable', `${chain} does not show the mint ${mint} yet`, {
    retryAfterSeconds: 5,
  })
}

/** Returns the last transaction that names a mint, as the one that made a change which is there already. */
const findLast = ({ read }: CollectionParts, mint: Address): Promise<string | undefined> =>
  read(async (rpc) => {
    const terms = { commitment: 'confirmed', limit: 20 } as const
    const page = await rpc.getSignaturesForAddress(mint, terms).send()
    return page.find(({ err }) => err === null)?.signature
  })

/** A change of what the mint of a collection or of a token says of itself. */
type MintUpdate = {
  mint: Address
  revision: bigint
  toMetadata(known: ServiceMint): OnChainMetadata
  /** Creates the instructions of what else changes. */
  more?(parts: MintParts): Instruction[]
}

/** Writes what a mint says of itself, unless the chain has this change or a newer one. */
export const updateMint = async (
  parts: CollectionParts,
  keyed: Keyed,
  { mint, revision, toMetadata, more = () => [] }: MintUpdate,
): Promise<WriteResult> => {
  const make: Make = async (mintParts) => {
    const known = await requireMint(parts, mint)
    if (known.revision >= revision) throw new NewerError()
    const metadata = toMetadata(known)
    const updates = await createUpdateInstructions(mintParts, mint, { known, metadata, revision })
    return [...updates, ...more(mintParts)]
  }
  try {
    // A second copy writes the same once more.
    return await sendInstructions(parts, keyed, { make, trace: undefined, isGuarded: false })
  } catch (error) {
    const txId = error instanceof NewerError ? await findLast(parts, mint) : undefined
    if (txId === undefined) throw error
    return { status: 'succeeded', txId }
  }
}
