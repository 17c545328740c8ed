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
}
