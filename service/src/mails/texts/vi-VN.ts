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
}
