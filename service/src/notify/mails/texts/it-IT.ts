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
  refundSubject: 'Il tuo rimborso da {projectName}',
  refundSent: 'L’importe di {amount} è stato restituito all’account che ha pagato il tuo ordine.',
  tokensStay: 'I token consegnati restano nel loro wallet.',
  shippedSubject: 'Il tuo ordine presso {projectName} è stato spedito',
  shippedWith: 'Arriverà da te con {carrier}.',
  notShippedSubject: 'Correzione: il tuo ordine presso {projectName} non è ancora stato spedito',
  notShipped:
    'Ti abbiamo annunciato la spedizione per errore. Riceverai un’altra e-mail quando sarà in viaggio.',
  contents: 'Contenuto',
  trackingNumber: 'Numero di tracciamento',
  track: 'Segui il pacco',
}
