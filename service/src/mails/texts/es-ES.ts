import type { MailTexts } from './MailTexts.js'

/** What the e-mails say in Spanish. */
export const texts: MailTexts = {
  subject: 'Ha recibido {tokenName}',
  kept: 'Se guarda en su monedero de {projectName}.',
  nothingToDo: 'No tiene que hacer nada.',
  collection: 'Colección',
  network: 'Red',
  token: 'Número de token',
  contract: 'Contrato',
  view: 'Ver token',
}
