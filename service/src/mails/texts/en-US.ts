import type { MailTexts } from './MailTexts.js'

/** What the e-mails say in English. */
export const texts: MailTexts = {
  subject: '{tokenName} has arrived',
  kept: 'It is kept in your wallet with {projectName}.',
  nothingToDo: 'You don’t have to do anything.',
  collection: 'Collection',
  network: 'Network',
  token: 'Token number',
  contract: 'Contract',
  view: 'View token',
  orderSubject: 'Your order with {projectName}',
  paid: 'We received your payment. This is your receipt.',
  orderArrived: 'Your order has arrived',
  giftFrom: 'A gift from {giverName}.',
  tax: 'Tax',
  shipping: 'Shipping',
  total: 'Total',
  transaction: 'Transaction',
  order: 'Order',
  viewTransaction: 'View transaction',
}
