import type { MailTexts } from './MailTexts.js'

/** What the e-mails say in Turkish. */
export const texts: MailTexts = {
  subject: '{tokenName} size ulaştı',
  kept: '{projectName} mağazasındaki cüzdanınızda saklanıyor.',
  nothingToDo: 'Yapmanız gereken bir şey yok.',
  collection: 'Koleksiyon',
  network: 'Ağ',
  token: 'Token numarası',
  contract: 'Sözleşme',
  view: 'Token’ı görüntüle',
  orderSubject: '{projectName} siparişiniz',
  paid: 'Ödemenizi aldık. Bu sizin makbuzunuz.',
  orderArrived: 'Siparişiniz ulaştı',
  giftFrom: '{giverName} size bir hediye gönderdi.',
  tax: 'Vergi',
  shipping: 'Kargo',
  total: 'Toplam',
  transaction: 'İşlem',
  order: 'Sipariş',
  viewTransaction: 'İşlemi görüntüle',
}
