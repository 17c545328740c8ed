import type { Amount, Order } from 'kassa'
import { findLocale } from 'kassa/schema'
import { loadMessages } from '../../messages'
import { createTranslate, type Translate } from '../language/createTranslate'
import type { Language } from '../language/languages'
import { formatFiat, formatMoney } from '../money'
import { readNetworkFee } from '../networkFee'
import { getChainLabel, type Network } from '../networks'
import { keepMail } from '../outbox'
import { formatBoughtAt, listRecipients, listTokens } from '../receiptFacts'
import { type MailContent, writeMailHtml, writeMailText } from './writeMailHtml'

/** The languages' sentences that a receipt needs. */
type Sentences = { [Name in 'mails' | 'receipt' | 'common']: Translate<Name> }

type Fact = [name: string, value: string]

const toFacts = (
  order: Order,
  { locale, fee, t }: { locale: string; fee: Amount | undefined; t: Sentences },
): Fact[] => {
  const { lineItems, quote, payment, orderId } = order
  const { received } = payment
  const chain = received?.chain ?? payment.method
  const format = ({ amount, currency }: Amount): string => formatMoney(amount, currency, locale)
  const { totalPrice } = quote
  // A token pegged to the dollar says its worth already.
  const worth = totalPrice && !/^usd/i.test(totalPrice.currency) ? totalPrice.fiat : undefined
  const total =
    totalPrice &&
    (worth
      ? `${format(totalPrice)} (≈\u00a0${formatFiat(worth.amount, worth.currency, locale)})`
      : format(totalPrice))
  const describeItem = (item: Order['lineItems'][number]): Fact[] => {
    const count = item.quantity ?? item.callData?.quantity ?? 1
    const name = item.metadata?.name ?? t.mails('untitled')
    const { numbers, addresses } = listTokens(item)
    const price = item.quote.totalPrice
    return [
      [
        [
          count > 1 ? `${name} × ${count}` : name,
          ...numbers.map((number) => t.common('number', { number })),
        ].join(', '),
        price ? format(price) : '',
      ],
      ...addresses.map(({ of, address }): Fact => [t.receipt(of), address]),
    ]
  }
  const optional = (name: string, value: string | undefined): Fact[] => (value ? [[name, value]] : [])
  return [
    // The server does not know the buyer's time zone.
    ...optional(t.receipt('date'), formatBoughtAt(order, locale, 'UTC')),
    ...lineItems.flatMap(describeItem),
    ...optional(t.mails('total'), total),
    ...optional(t.receipt('networkFee'), fee && t.receipt('feePaid', { amount: format(fee) })),
    ...listRecipients(order).map((recipient): Fact => [t.receipt('deliveredTo'), recipient]),
    ...optional(t.mails('network'), chain && getChainLabel(chain)),
    ...optional(t.mails('payment'), received?.txId),
    [t.mails('order'), orderId],
  ]
}

const findFee = async ({ payment }: Order, networks: readonly Network[]): Promise<Amount | undefined> => {
  const { chain = payment.method, txId, payerAddress } = payment.received ?? {}
  const network = networks.find(({ name }) => name === chain)
  // A network that does not answer holds up no receipt.
  return network && txId ? readNetworkFee(network, { txId, payerAddress }).catch(() => undefined) : undefined
}

type ReceiptOptions = {
  url: string
  language: Language
  pictureUrl?: string | undefined
  networks: readonly Network[]
}

/**
 * Sends an order's receipt by e-mail, with a link that opens the order's page in any browser. In a sandbox the e-mail
 * goes to its mailbox; in your own shop, call your mail provider here.
 *
 * @param options.url - The whole address of the link.
 * @param options.language - The language of the e-mail.
 * @param options.pictureUrl - The picture of what was bought, if it is one edition.
 * @param options.networks - The networks of the shop, one of which knows the payment's fee.
 */
export const sendReceiptMail = async (
  email: string,
  order: Order,
  { url, language, pictureUrl, networks }: ReceiptOptions,
): Promise<void> => {
  const locale = findLocale(language)
  const [messages, fee] = await Promise.all([loadMessages(language), findFee(order, networks)])
  const t = createTranslate(language, messages, 'mails')
  const sentences: Sentences = {
    mails: t,
    receipt: createTranslate(language, messages, 'receipt'),
    common: createTranslate(language, messages, 'common'),
  }
  const content: MailContent = {
    title: t('receiptTitle'),
    pictureUrl,
    sentences: [t('receiptThanks')],
    facts: toFacts(order, { locale, fee, t: sentences }),
    link: { url, label: t('receiptOpen') },
    note: t('receiptNote'),
  }
  keepMail({
    to: email,
    sender: 'Recto',
    subject: content.title,
    text: writeMailText(content),
    html: writeMailHtml(content, language),
    locale,
  })
}
