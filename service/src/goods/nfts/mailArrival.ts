import { eq } from 'drizzle-orm'
import type { NftMetadata } from 'kassa/schema'
import { explorerOf } from '#base/config/explorerOf.js'
import type { Transaction } from '#base/db/database.js'
import { files } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { enqueueMail } from '#notify/mails/sendMail.js'
import { toCollectionRef } from '../collections/viewCollection.js'
import type { Mintable } from './findMintable.js'

/** The tokens that arrived, and their recipient. Tokens of one arrival differ only in their number. */
export type Arrival = {
  projectId: string
  email: string
  locale: string
  /** The metadata of the first token. */
  metadata: NftMetadata
  tokenIds: readonly string[]
  /** The address of a compressed token, which its number does not tell. */
  mintHash?: string | null
  txId: string | null
}

/**
 * Returns a picture's URL for mail programs. Returns an empty string if there is none, or only other programs
 * can fetch it.
 */
export const findPicture = async (publicUrl: string, tx: Transaction, url: string): Promise<string> => {
  if (/^https?:/i.test(url)) return url
  const cid = /^ipfs:\/\/(b[a-z2-7]{1,100})$/i.exec(url)?.[1]
  if (cid === undefined) return ''
  // The gateway serves only files that the service has.
  const [held] = await tx.select({ cid: files.cid }).from(files).where(eq(files.cid, cid))
  return held ? `${publicUrl}/ipfs/${cid}` : ''
}

/** Enqueues the e-mail that tells a user of new tokens in their custodial wallet. */
export const mailArrival = async (
  deps: Pick<Deps, 'config' | 'jobs' | 'now' | 'randomBytes'>,
  tx: Transaction,
  { collection, chain }: Mintable,
  { projectId, email, locale, metadata, tokenIds, mintHash, txId }: Arrival,
): Promise<void> => {
  const name = metadata.name ?? collection.name
  const ref = toCollectionRef(collection)
  const explorer = explorerOf(deps.config, chain)
  await enqueueMail(deps, tx, {
    projectId,
    recipient: email,
    locale,
    kind: 'nft-minted',
    data: {
      tokenName: tokenIds.length > 1 ? `${name} × ${tokenIds.length}` : name,
      collectionName: collection.name,
      imageUrl: await findPicture(deps.config.publicUrl, tx, metadata.image ?? ''),
      chain: chain.chain,
      contractAddress:
        mintHash ?? chain.tokenAddress(ref, BigInt(tokenIds[0] ?? 0)) ?? chain.collectionAddress(ref),
      tokenId: [...new Set(tokenIds)].join(', '),
      ...(explorer !== undefined && txId !== null && { explorerUrl: `${explorer}/tx/${txId}` }),
    },
  })
}
