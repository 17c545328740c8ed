import type { MailTexts } from './MailTexts.js'

/** What the e-mails say in Traditional Chinese. */
export const texts: MailTexts = {
  subject: '您已收到「{tokenName}」',
  kept: '它存放在您於 {projectName} 的錢包中。',
  nothingToDo: '您無需進行任何操作。',
  collection: '系列',
  network: '網路',
  token: '代幣編號',
  contract: '合約',
  view: '檢視代幣',
  orderSubject: '您在 {projectName} 的訂單',
  paid: '我們已收到您的付款。這是您的收據。',
  orderArrived: '您的訂單已送達',
  giftFrom: '來自 {giverName} 的禮物。',
  tax: '稅金',
  shipping: '運費',
  total: '總計',
  transaction: '交易',
  order: '訂單',
  viewTransaction: '檢視交易',
}
