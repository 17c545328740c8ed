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
  refundSubject: 'Khoản hoàn tiền của bạn từ {projectName}',
  refundSent: 'Đã hoàn lại {amount} vào tài khoản đã thanh toán đơn hàng của bạn.',
  tokensStay: 'Các token đã giao vẫn ở trong ví của chúng.',
  shippedSubject: 'Đơn hàng của bạn tại {projectName} đã được gửi đi',
  shippedWith: 'Đơn hàng đang được {carrier} giao đến bạn.',
  notShippedSubject: 'Đính chính: đơn hàng của bạn tại {projectName} chưa được gửi đi',
  notShipped:
    'Chúng tôi đã báo nhầm rằng đơn hàng đã được gửi. Bạn sẽ nhận được email khác khi đơn hàng lên đường.',
  contents: 'Nội dung',
  trackingNumber: 'Mã vận đơn',
  track: 'Theo dõi kiện hàng',
}
