import type { MailTexts } from './MailTexts.js'

/** What the e-mails say in Thai. */
export const texts: MailTexts = {
  subject: 'คุณได้รับ {tokenName} แล้ว',
  kept: 'เก็บไว้ในกระเป๋าเงินของคุณที่ {projectName}',
  nothingToDo: 'คุณไม่ต้องทำอะไรเพิ่มเติม',
  collection: 'คอลเลกชัน',
  network: 'เครือข่าย',
  token: 'หมายเลขโทเค็น',
  contract: 'สัญญา',
  view: 'ดูโทเค็น',
  orderSubject: 'คำสั่งซื้อของคุณที่ {projectName}',
  paid: 'เราได้รับการชำระเงินของคุณแล้ว นี่คือใบเสร็จของคุณ',
  orderArrived: 'คำสั่งซื้อของคุณมาถึงแล้ว',
  giftFrom: 'ของขวัญจาก {giverName}',
  tax: 'ภาษี',
  shipping: 'ค่าจัดส่ง',
  total: 'ยอดรวม',
  transaction: 'ธุรกรรม',
  order: 'คำสั่งซื้อ',
  viewTransaction: 'ดูธุรกรรม',
}
