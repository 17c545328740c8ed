import type { MintNftBody, Nft } from 'kassa/schema'
import { requireServerScope } from '../authorize.js'
import type { Call } from '../call.js'
import { lockCollection } from '../collections/allocateTokens.js'
import { createUuid } from '../createUuid.js'
import type { Transaction } from '../db/database.js'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import { hashRequest } from '../hashRequest.js'
import { askForBatch } from './askForBatch.js'
import { findMintable, type Mintable } from './findMintable.js'
import { findNft, type NftRow } from './findNft.js'
import { insertMint } from './insertMint.js'
import { inTurn } from './inTurn.js'
import { readMintContent } from './readMintContent.js'
import { readMintRecipient } from './readMintRecipient.js'
import { viewMint } from './viewNft.js'

/** Which token to mint: the caller's id for it, or none to be given one. */
export type MintNftInput = { collectionId: string; nftId?: string; body: MintNftBody }

const assertSame = ({ id, requestHash }: NftRow, asked: string): void => {
  if (requestHash === asked) return
  throw new ServiceError('conflict', `nftId: ${id} is taken by a token with other content`)
}

const assertCompressible = ({ chain }: Mintable, compressed: boolean | undefined): void => {
  if (compressed === undefined) return
  throw new ServiceError(
    'input-invalid',
    `compressed: only on Solana, and the collection is on ${chain.chain}`,
  )
}

/**
 * Asks for a token to be minted. Under an id of the caller's it is minted once, however often it is asked for, and
 * the answer is the first one.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`, `input-invalid`, `conflict`.
 * @source interface.md "Mint NFT"
 */
export const mintNft = async (
  deps: Deps,
  call: Call,
  { collectionId, nftId, body }: MintNftInput,
): Promise<Nft> => {
  requireServerScope(call.actor, 'nfts.create')

  const { projectId } = call.actor
  const mintable = await findMintable(deps, projectId, collectionId)
  const { collection, chain } = mintable
  const nft = { projectId, collectionId, id: nftId ?? createUuid(deps.randomBytes) }
  const requestHash = hashRequest(body)
  const known = nftId === undefined ? undefined : await findNft(deps.db, nft)
  if (known) {
    assertSame(known, requestHash)
    return viewMint(deps, collection, known)
  }
  assertCompressible(mintable, body.compressed)
  const owner = readMintRecipient(chain, body.recipient)

  const content = await readMintContent(deps, collection, body)
  const { recipient, locale = 'en-US', sendNotification: hasNotification = true } = body
  const terms = { nft, owner, recipient, locale, hasNotification, requestHash, ...content }

  const write = async (tx: Transaction) => {
    const locked = await lockCollection(tx, collection)
    if (!locked) throw new ServiceError('not-found', `Collection ${collectionId} not found`)
    const present = await findNft(tx, nft)
    if (present) assertSame(present, requestHash)
    const row = present ?? (await insertMint(deps, tx, locked, terms))
    if (!present) await askForBatch(deps, tx, locked)
    const answer = viewMint(deps, locked, row)
    await call.complete(tx, { status: 200, body: answer })
    return answer
  }
  return inTurn(`${projectId}:${collectionId}`, () => deps.db.transaction(write))
}
