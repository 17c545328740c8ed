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
  refundSubject: 'Votre remboursement de {projectName}',
  refundSent: 'Le montant de {amount} a été renvoyé au compte qui a payé votre commande.',
  tokensStay: 'Les jetons livrés restent dans leur portefeuille.',
  shippedSubject: 'Votre commande chez {projectName} est en route',
  shippedWith: 'Elle vous est livrée par {carrier}.',
  notShippedSubject: 'Correction : votre commande chez {projectName} n’est pas encore expédiée',
  notShipped:
    'Nous vous avons annoncé son expédition par erreur. Vous recevrez un autre e-mail dès qu’elle sera en route.',
  contents: 'Contenu',
  trackingNumber: 'Numéro de suivi',
  track: 'Suivre le colis',
}
