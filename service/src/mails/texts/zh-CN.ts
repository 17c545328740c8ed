import type { MailTexts } from './MailTexts.js'

/** What the e-mails say in Simplified Chinese. */
export const texts: MailTexts = {
  subject: '您已收到“{tokenName}”',
  kept: '它存放在您于 {projectName} 的钱包中。',
  nothingToDo: '您无需进行任何操作。',
  collection: '系列',
  network: '网络',
  token: '代币编号',
  contract: '合约',
  view: '查看代币',
  orderSubject: '您在 {projectName} 的订单',
  paid: '我们已收到您的付款。这是您的收据。',
  orderArrived: '您的订单已送达',
  giftFrom: '来自 {giverName} 的礼物。',
  tax: '税费',
  shipping: '运费',
  total: '合计',
  transaction: '交易',
  order: '订单',
  viewTransaction: '查看交易',
}
