import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { Mailbox } from '../../../../components/sandbox/Mailbox'
import { ServiceAway } from '../../../../components/shop/ServiceAway'
import { getMails } from '../../../../lib/mailbox'
import { getShop } from '../../../../lib/shop'

export const metadata: Metadata = { title: 'Mailbox', robots: { index: false } }

/** Shows one of the sandbox's e-mails beside the list of all. */
export default async function MailPage({ params }: { params: Promise<{ mailId: string }> }) {
  const [{ mailId }, shop, mails] = await Promise.all([params, getShop(), getMails()])
  if (shop && !shop.isSandbox) notFound()
  if (!mails) return <ServiceAway />
  const mail = mails.find(({ id }) => id === mailId)
  if (!mail) notFound()
  return <Mailbox mails={mails} open={mail} isChosen />
}
