import type { MailTexts } from './MailTexts.js'

/** What the e-mails say in Ukrainian. */
export const texts: MailTexts = {
  subject: 'Ви отримали «{tokenName}»',
  kept: 'Токен зберігається у вашому гаманці в магазині «{projectName}».',
  nothingToDo: 'Нічого робити не потрібно.',
  collection: 'Колекція',
  network: 'Мережа',
  token: 'Номер токена',
  contract: 'Контракт',
  view: 'Деталі токена',
  orderSubject: 'Ваше замовлення в магазині «{projectName}»',
  paid: 'Ми отримали ваш платіж. Це ваш чек.',
  orderArrived: 'Ваше замовлення надійшло',
  giftFrom: 'Подарунок від {giverName}.',
  tax: 'Податок',
  shipping: 'Доставка',
  total: 'Разом',
  transaction: 'Транзакція',
  order: 'Замовлення',
  viewTransaction: 'Деталі транзакції',
  refundSubject: 'Повернення коштів від магазину «{projectName}»',
  refundSent: '{amount} повернуто на рахунок, з якого оплачено ваше замовлення.',
  tokensStay: 'Отримані токени залишаються у своєму гаманці.',
  shippedSubject: 'Ваше замовлення в магазині «{projectName}» відправлено',
  shippedWith: 'Його доставляє {carrier}.',
  notShippedSubject: 'Виправлення: ваше замовлення в магазині «{projectName}» ще не відправлено',
  notShipped:
    'Ми повідомили про відправлення помилково. Коли замовлення буде в дорозі, ви отримаєте ще один лист.',
  contents: 'Вміст',
  trackingNumber: 'Номер для відстеження',
  track: 'Відстежити посилку',
}
