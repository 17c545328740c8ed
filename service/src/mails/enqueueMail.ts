import type { Transaction } from '../db/database.js'
import { mails } from '../db/tables/index.js'
import type { NftMinted, OrderConfirmed, OrderDelivered } from '../db/tables/mailData.js'
import type { Deps } from '../deps.js'
import { createUuid } from '../lib/createUuid.js'

/** An e-mail that has become due. */
export type MailInput = {
  projectId: string
  recipient: string
  locale: string
} & (
  | { kind: 'nft-minted'; data: NftMinted }
  | { kind: 'order-confirmed'; data: OrderConfirmed }
  | { kind: 'order-delivered'; data: OrderDelivered }
)

/** Stores an e-mail in the transaction that makes it due. It is sent only if that transaction commits. */
export const enqueueMail = async (
  { jobs, now, randomBytes }: Pick<Deps, 'jobs' | 'now' | 'randomBytes'>,
  tx: Transaction,
  { projectId, recipient, locale, kind, data }: MailInput,
): Promise<void> => {
  const id = createUuid(randomBytes)
  const createdAt = new Date(now())
  await tx.insert(mails).values({ id, projectId, recipient, locale, kind, data, createdAt })
  await jobs.enqueue(tx, 'mails.send', { mailId: id })
}
