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
  orderSubject: 'A sua encomenda em {projectName}',
  paid: 'Recebemos o seu pagamento. Este é o seu recibo.',
  orderArrived: 'A sua encomenda chegou',
  giftFrom: 'Um presente de {giverName}.',
  tax: 'Impostos',
  shipping: 'Envio',
  total: 'Total',
  transaction: 'Transação',
  order: 'Encomenda',
  viewTransaction: 'Ver transação',
}
