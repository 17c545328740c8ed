import type { MailTexts } from './MailTexts.js'

/** What the e-mails say in Japanese. */
export const texts: MailTexts = {
  subject: '「{tokenName}」が届きました',
  kept: '{projectName}にあるお客様のウォレットに保管されています。',
  nothingToDo: 'お手続きは必要ありません。',
  collection: 'コレクション',
  network: 'ネットワーク',
  token: 'トークン番号',
  contract: 'コントラクト',
  view: 'トークンを見る',
  orderSubject: '{projectName}でのご注文',
  paid: 'お支払いを受け取りました。こちらが領収書です。',
  orderArrived: 'ご注文の品が届きました',
  giftFrom: '{giverName}さんからの贈り物です。',
  tax: '税',
  shipping: '送料',
  total: '合計',
  transaction: 'トランザクション',
  order: '注文',
  viewTransaction: 'トランザクションを見る',
}
