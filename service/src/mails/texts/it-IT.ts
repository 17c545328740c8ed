import type { MailTexts } from './MailTexts.js'

/** What the e-mails say in Italian. */
export const texts: MailTexts = {
  subject: 'Hai ricevuto {tokenName}',
  kept: 'Si trova nel tuo wallet presso {projectName}.',
  nothingToDo: 'Non devi fare nulla.',
  collection: 'Collezione',
  network: 'Rete',
  token: 'Numero del token',
  contract: 'Contratto',
  view: 'Vedi token',
  orderSubject: 'Il tuo ordine presso {projectName}',
  paid: 'Abbiamo ricevuto il tuo pagamento. Questa è la tua ricevuta.',
  orderArrived: 'Il tuo ordine è arrivato',
  giftFrom: 'Un regalo da {giverName}.',
  tax: 'Imposte',
  shipping: 'Spedizione',
  total: 'Totale',
  transaction: 'Transazione',
  order: 'Ordine',
  viewTransaction: 'Vedi transazione',
}
