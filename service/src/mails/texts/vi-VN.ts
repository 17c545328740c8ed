import type { MailTexts } from './MailTexts.js'

/** What the e-mails say in Vietnamese. */
export const texts: MailTexts = {
  subject: 'Bạn đã nhận được {tokenName}',
  kept: 'Token được giữ trong ví của bạn tại {projectName}.',
  nothingToDo: 'Bạn không cần làm gì thêm.',
  collection: 'Bộ sưu tập',
  network: 'Mạng',
  token: 'Số token',
  contract: 'Hợp đồng',
  view: 'Xem token',
  orderSubject: 'Đơn hàng của bạn tại {projectName}',
  paid: 'Chúng tôi đã nhận được thanh toán của bạn. Đây là biên nhận của bạn.',
  orderArrived: 'Đơn hàng của bạn đã đến',
  giftFrom: 'Quà tặng từ {giverName}.',
  tax: 'Thuế',
  shipping: 'Phí vận chuyển',
  total: 'Tổng cộng',
  transaction: 'Giao dịch',
  order: 'Đơn hàng',
  viewTransaction: 'Xem giao dịch',
}
