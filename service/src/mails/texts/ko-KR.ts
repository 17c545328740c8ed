import type { MailTexts } from './MailTexts.js'

/** What the e-mails say in Korean. */
export const texts: MailTexts = {
  subject: '{tokenName} 토큰이 도착했습니다',
  kept: '{projectName}에 있는 고객님의 지갑에 보관되어 있습니다.',
  nothingToDo: '따로 하실 일은 없습니다.',
  collection: '컬렉션',
  network: '네트워크',
  token: '토큰 번호',
  contract: '컨트랙트',
  view: '토큰 보기',
}
