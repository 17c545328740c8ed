import type { MailTexts } from './MailTexts.js'

/** What the e-mails say in German. */
export const texts: MailTexts = {
  subject: '{tokenName} ist angekommen',
  kept: 'Es liegt in Ihrer Wallet bei {projectName}.',
  nothingToDo: 'Sie müssen nichts weiter tun.',
  collection: 'Sammlung',
  network: 'Netzwerk',
  token: 'Token-Nummer',
  contract: 'Vertrag',
  view: 'Token ansehen',
  orderSubject: 'Ihre Bestellung bei {projectName}',
  paid: 'Ihre Zahlung ist eingegangen. Dies ist Ihr Beleg.',
  orderArrived: 'Ihre Bestellung ist angekommen',
  giftFrom: 'Ein Geschenk von {giverName}.',
  tax: 'Steuer',
  shipping: 'Versand',
  total: 'Gesamt',
  transaction: 'Transaktion',
  order: 'Bestellung',
  viewTransaction: 'Transaktion ansehen',
}
