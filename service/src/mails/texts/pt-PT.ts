import type { MailTexts } from './MailTexts.js'

/** What the e-mails say in Portuguese. */
export const texts: MailTexts = {
  subject: 'Recebeu {tokenName}',
  kept: 'Está guardado na sua carteira em {projectName}.',
  nothingToDo: 'Não precisa de fazer nada.',
  collection: 'Coleção',
  network: 'Rede',
  token: 'Número do token',
  contract: 'Contrato',
  view: 'Ver token',
}
