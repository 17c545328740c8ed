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
}
