import { dropHidden } from 'kassa/engine'
import { findLocale } from 'kassa/schema'
import type { mails } from '#base/db/tables/index.js'
import type {
  NftMinted,
  OrderConfirmed,
  OrderDelivered,
  OrderRefunded,
  OrderShipped,
} from '#base/db/tables/mailData.js'
import { chainLabel } from '#base/lib/chainLabel.js'
import { createHtml, type HtmlContent } from '#base/lib/createHtml.js'
import type { Mail } from '#base/ports/mail.js'
import { type MailTexts, mailTexts } from './texts/index.js'

/** A mail as the database stores it, with the name under which customers know its project. */
export type StoredMail = typeof mails.$inferSelect & { project: string }

// A stranger's name may contain line breaks, which a subject must not have, and what turns the line round.
const toLine = (text: string | undefined): string =>
  dropHidden((text ?? '').replace(/[\s\p{Cc}]+/gu, ' ')).trim()

const toLink = (text: string | undefined): string | undefined => {
  const url = text && URL.canParse(text) ? new URL(text) : undefined
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined
}

const fill = (sentence: string, name: string, value: string): string =>
  sentence.split(`{${name}}`).join(value)

/** The texts of one kind of mail. */
type Content = Pick<HtmlContent, 'title' | 'sentences' | 'facts' | 'picture' | 'link'>

const describeToken = (item: NftMinted, texts: MailTexts): [string, string][] => [
  [texts.collection, toLine(item.collectionName)],
  [texts.token, toLine(item.tokenId)],
  [texts.network, chainLabel(toLine(item.chain))],
  [texts.contract, toLine(item.contractAddress)],
]

const describeMinted = (data: NftMinted, texts: MailTexts, sender: string): Content => {
  const tokenName = toLine(data.tokenName)
  const imageUrl = toLink(data.imageUrl)
  const url = toLink(data.explorerUrl)
  return {
    title: fill(texts.subject, 'tokenName', tokenName),
    sentences: [fill(texts.kept, 'projectName', sender), texts.nothingToDo],
    facts: describeToken(data, texts),
    ...(imageUrl && { picture: { url: imageUrl, alt: tokenName } }),
    ...(url && { link: { url, label: texts.view } }),
  }
}

const describeDelivered = (
  { items, gift }: OrderDelivered,
  texts: MailTexts,
  sender: string,
): Content | undefined => {
  const [first] = items
  if (!first) return undefined
  const single = describeMinted(first, texts, sender)
  const note = toLine(gift?.note)
  const given = gift ? [fill(texts.giftFrom, 'giverName', toLine(gift.giverName))] : []
  const sentences = [...given, ...(note ? [`“${note}”`] : []), ...single.sentences]
  if (items.length === 1) return { ...single, sentences }
  const { link: _, ...looks } = single
  const facts = items.flatMap((item): [string, string][] => [
    [toLine(item.tokenName), toLine(item.collectionName)],
    [texts.token, toLine(item.tokenId)],
    [texts.contract, `${chainLabel(toLine(item.chain))}, ${toLine(item.contractAddress)}`],
  ])
  return { ...looks, title: texts.orderArrived, sentences, facts }
}

const describeConfirmed = (data: OrderConfirmed, texts: MailTexts, sender: string): Content => {
  const url = toLink(data.explorerUrl)
  const optional = (name: string, value: string): [string, string][] => (value ? [[name, toLine(value)]] : [])
  return {
    title: fill(texts.orderSubject, 'projectName', sender),
    sentences: [texts.paid],
    facts: [
      ...data.lines.map(({ name, amount }): [string, string] => [toLine(name), toLine(amount)]),
      ...optional(texts.tax, data.tax),
      ...optional(texts.shipping, data.shipping),
      [texts.total, toLine(data.total)],
      [texts.network, chainLabel(toLine(data.chain))],
      [texts.transaction, toLine(data.txId)],
      [texts.order, toLine(data.orderId)],
    ],
    ...(url && { link: { url, label: texts.viewTransaction } }),
  }
}

const describeRefunded = (data: OrderRefunded, texts: MailTexts, sender: string): Content => {
  const url = toLink(data.explorerUrl)
  const reason = toLine(data.reason)
  return {
    title: fill(texts.refundSubject, 'projectName', sender),
    sentences: [
      fill(texts.refundSent, 'amount', toLine(data.refunded)),
      ...(reason ? [`“${reason}”`] : []),
      ...(data.isVoided ? [] : [texts.tokensStay]),
    ],
    facts: [
      [texts.network, chainLabel(toLine(data.chain))],
      [texts.transaction, toLine(data.txId)],
      [texts.order, toLine(data.orderId)],
    ],
    ...(url && { link: { url, label: texts.viewTransaction } }),
  }
}

const describeShipped = (data: OrderShipped, texts: MailTexts, sender: string): Content => {
  const { isCancelled, shipped, orderId } = data
  const carrier = toLine(data.carrier)
  const trackingNumber = toLine(data.trackingNumber)
  const url = isCancelled ? undefined : toLink(data.trackingUrl)
  return {
    title: fill(isCancelled ? texts.notShippedSubject : texts.shippedSubject, 'projectName', sender),
    sentences: [isCancelled ? texts.notShipped : fill(texts.shippedWith, 'carrier', carrier)],
    facts: [
      [texts.contents, shipped.map(toLine).join(', ')],
      ...(trackingNumber ? [[texts.trackingNumber, trackingNumber] as [string, string]] : []),
      [texts.order, toLine(orderId)],
    ],
    ...(url && { link: { url, label: texts.track } }),
  }
}

const describe = (data: StoredMail['data'], texts: MailTexts, sender: string): Content | undefined => {
  if ('lines' in data) return describeConfirmed(data, texts, sender)
  if ('items' in data) return describeDelivered(data, texts, sender)
  if ('shipped' in data) return describeShipped(data, texts, sender)
  if ('refunded' in data) return describeRefunded(data, texts, sender)
  return describeMinted(data, texts, sender)
}

/**
 * Writes a mail in its recipient's language, or in English if there is no translation. The mail's locale is that of its
 * text.
 */
export const renderMail = ({ id, recipient, locale: tag, data, project }: StoredMail): Mail => {
  const locale = findLocale(tag)
  const texts = mailTexts[locale]
  const named = 'projectName' in data ? toLine(data.projectName) : ''
  const sender = named || project
  const content = describe(data, texts, sender)
  if (!content) throw new Error(`the mail ${id} is about nothing`)
  const { title: subject, sentences, facts, link } = content
  const text = [
    subject,
    '',
    ...sentences,
    '',
    ...facts.map((fact) => fact.join(': ')),
    ...(link ? ['', `${link.label}: ${link.url}`] : []),
    '',
    sender,
    '',
  ].join('\n')
  const html = createHtml({ locale, sender, ...content })
  return { id, to: recipient, sender, subject, text, html, locale }
}
