import { explorerUrls, isEvmChainName, parseMintRecipient } from 'kassa/schema'
import { toCollectionRef } from '../collections/collectionRef.js'
import type { Transaction } from '../db/database.js'
import type { Deps } from '../deps.js'
import { enqueueMail } from '../mails/enqueueMail.js'
import type { Mintable } from './findMintable.js'
import type { NftRow } from './findNft.js'

/** Where a mail program finds a picture; empty where only other programs do. */
const toWebUrl = (publicUrl: string, url: string): string => {
  const cid = /^ipfs:\/\/([A-Za-z0-9]+)$/i.exec(url)?.[1]
  if (cid !== undefined) return `${publicUrl}/ipfs/${cid}`
  return /^https?:/i.test(url) ? url : ''
}

/** Has the recipient told that a token has arrived, where there is an e-mail address to write to. */
export const mailMint = async (
  deps: Deps,
  tx: Transaction,
  { collection, chain }: Mintable,
  { projectId, recipient, hasNotification, locale, metadata, tokenId, txId }: NftRow,
): Promise<void> => {
  const to = parseMintRecipient(recipient ?? '')
  if (!hasNotification || to?.kind !== 'email') return
  const contractAddress = chain.collectionAddress(toCollectionRef(collection))
  // A chain of our own is on no explorer.
  const explorer = chain.isLocal || !isEvmChainName(chain.chain) ? undefined : explorerUrls[chain.chain]
  await enqueueMail(deps, tx, {
    projectId,
    recipient: to.value,
    locale,
    kind: 'nft-minted',
    data: {
      tokenName: metadata.name ?? collection.name,
      collectionName: collection.name,
      imageUrl: toWebUrl(deps.config.publicUrl, metadata.image ?? ''),
      chain: chain.chain,
      contractAddress,
      tokenId: `${tokenId}`,
      ...(explorer !== undefined && txId !== null && { explorerUrl: `${explorer}/tx/${txId}` }),
    },
  })
}
