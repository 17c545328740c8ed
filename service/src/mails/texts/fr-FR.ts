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
}
