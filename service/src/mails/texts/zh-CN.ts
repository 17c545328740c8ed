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
}
