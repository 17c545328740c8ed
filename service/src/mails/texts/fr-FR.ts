import type { MailTexts } from './MailTexts.js'

/** What the e-mails say in French. */
export const texts: MailTexts = {
  subject: 'Vous avez reçu {tokenName}',
  kept: 'C’est dans votre portefeuille chez {projectName}.',
  nothingToDo: 'Vous n’avez rien à faire.',
  collection: 'Collection',
  network: 'Réseau',
  token: 'Numéro du jeton',
  contract: 'Contrat',
  view: 'Voir le jeton',
  orderSubject: 'Votre commande chez {projectName}',
  paid: 'Nous avons reçu votre paiement. Voici votre reçu.',
  orderArrived: 'Votre commande est arrivée',
  giftFrom: 'Un cadeau de {giverName}.',
  tax: 'Taxes',
  shipping: 'Livraison',
  total: 'Montant total',
  transaction: 'Transaction',
  order: 'Commande',
  viewTransaction: 'Voir la transaction',
}
