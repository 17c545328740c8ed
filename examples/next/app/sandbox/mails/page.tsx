import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { Mailbox } from '../../../components/sandbox/Mailbox'
import { ServiceAway } from '../../../components/shop/ServiceAway'
import { getMails } from '../../../lib/mailbox'
import { getShop } from '../../../lib/shop'

export const metadata: Metadata = { title: 'Mailbox', robots: { index: false } }

/** Lists the sandbox's e-mails. On wide screens the newest is open. */
export default async function MailsPage() {
  const [shop, mails] = await Promise.all([getShop(), getMails()])
  if (shop && !shop.isSandbox) notFound()
  if (!mails) return <ServiceAway />
  return <Mailbox mails={mails} open={mails[0]} isChosen={false} />
}
