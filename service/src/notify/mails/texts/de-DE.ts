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
  refundSubject: 'Ihre Rückerstattung von {projectName}',
  refundSent: '{amount} wurden an das Konto zurückgesendet, das Ihre Bestellung bezahlt hat.',
  tokensStay: 'Gelieferte Token bleiben in ihrer Wallet.',
  shippedSubject: 'Ihre Bestellung bei {projectName} ist unterwegs',
  shippedWith: 'Sie kommt mit {carrier} zu Ihnen.',
  notShippedSubject: 'Korrektur: Ihre Bestellung bei {projectName} ist noch nicht unterwegs',
  notShipped:
    'Wir hatten Ihnen den Versand versehentlich gemeldet. Sobald sie verschickt ist, erhalten Sie eine weitere E-Mail.',
  contents: 'Inhalt',
  trackingNumber: 'Sendungsnummer',
  track: 'Sendung verfolgen',
}
