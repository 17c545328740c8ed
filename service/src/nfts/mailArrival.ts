import { eq } from 'drizzle-orm'
import type { Locale, NftMetadata } from 'kassa/schema'
import { toCollectionRef } from '../collections/collectionRef.js'
import type { Transaction } from '../db/database.js'
import { files } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { explorerOf } from '../explorerOf.js'
import { enqueueMail } from '../mails/enqueueMail.js'
import type { Mintable } from './findMintable.js'

/** What has arrived, and for whom. Tokens of one arrival look alike but for their number. */
export type Arrival = {
  projectId: string
  email: string
  locale: Locale
  /** What the first of the tokens shows. */
  metadata: NftMetadata
  tokenIds: readonly string[]
  txId: string | null
}

/** Where a mail program finds a picture; empty where there is none, or only other programs find it. */
export const findPicture = async (publicUrl: string, tx: Transaction, url: string): Promise<string> => {
  if (/^https?:/i.test(url)) return url
  const cid = /^ipfs:\/\/(b[a-z2-7]{1,100})$/i.exec(url)?.[1]
  if (cid === undefined) return ''
  // What we do not hold, our gateway does not show.
  const [held] = await tx.select({ cid: files.cid }).from(files).where(eq(files.cid, cid))
  return held ? `${publicUrl}/ipfs/${cid}` : ''
}

/** Has a user told by e-mail that tokens have arrived in the wallet that is kept for them. */
export const mailArrival = async (
  deps: Pick<Deps, 'config' | 'jobs' | 'now' | 'randomBytes'>,
  tx: Transaction,
  { collection, chain }: Mintable,
  { projectId, email, locale, metadata, tokenIds, txId }: Arrival,
): Promise<void> => {
  const name = metadata.name ?? collection.name
  // A chain of our own is on no explorer.
  const explorer = chain.isLocal ? undefined : explorerOf(deps.config, chain.chain)
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
      contractAddress: chain.collectionAddress(toCollectionRef(collection)),
      tokenId: [...new Set(tokenIds)].join(', '),
      ...(explorer !== undefined && txId !== null && { explorerUrl: `${explorer}/tx/${txId}` }),
    },
  })
}
