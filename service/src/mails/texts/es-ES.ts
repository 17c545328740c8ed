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
  orderSubject: 'Su pedido en {projectName}',
  paid: 'Hemos recibido su pago. Este es su recibo.',
  orderArrived: 'Su pedido ha llegado',
  giftFrom: 'Un regalo de {giverName}.',
  tax: 'Impuestos',
  shipping: 'Envío',
  total: 'Importe total',
  transaction: 'Transacción',
  order: 'Pedido',
  viewTransaction: 'Ver transacción',
}
