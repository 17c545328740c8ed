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
}
