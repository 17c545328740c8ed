import { parseMintRecipient } from 'kassa/schema'
import type { Transaction } from '../db/database.js'
import type { Deps } from '../deps.js'
import type { Mintable } from './findMintable.js'
import type { NftRow } from './findNft.js'
import { mailArrival } from './mailArrival.js'

/** Enqueues the e-mail about a minted token, if its recipient has an e-mail address. */
export const mailMint = async (
  deps: Deps,
  tx: Transaction,
  mintable: Mintable,
  { projectId, recipient, hasNotification, locale, metadata, tokenId, txId }: NftRow,
): Promise<void> => {
  const to = parseMintRecipient(recipient ?? '')
  if (!hasNotification || to?.kind !== 'email') return
  const arrival = { projectId, email: to.value, locale, metadata, tokenIds: [`${tokenId}`], txId }
  await mailArrival(deps, tx, mintable, arrival)
}
