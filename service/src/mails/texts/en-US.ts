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
}
