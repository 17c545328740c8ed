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
  orderSubject: '{projectName} 주문',
  paid: '결제가 완료되었습니다. 이 메일은 영수증입니다.',
  orderArrived: '주문하신 상품이 도착했습니다',
  giftFrom: '{giverName} 님이 보낸 선물입니다.',
  tax: '세금',
  shipping: '배송비',
  total: '합계',
  transaction: '트랜잭션',
  order: '주문',
  viewTransaction: '트랜잭션 보기',
}
