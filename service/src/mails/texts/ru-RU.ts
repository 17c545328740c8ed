import type { MailTexts } from './MailTexts.js'

/** What the e-mails say in Russian. */
export const texts: MailTexts = {
  subject: 'Вы получили «{tokenName}»',
  kept: 'Токен хранится в вашем кошельке в магазине «{projectName}».',
  nothingToDo: 'Ничего делать не нужно.',
  collection: 'Коллекция',
  network: 'Сеть',
  token: 'Номер токена',
  contract: 'Контракт',
  view: 'Показать токен',
  orderSubject: 'Ваш заказ в магазине «{projectName}»',
  paid: 'Мы получили ваш платёж. Это ваш чек.',
  orderArrived: 'Ваш заказ получен',
  giftFrom: 'Подарок от {giverName}.',
  tax: 'Налог',
  shipping: 'Доставка',
  total: 'Итого',
  transaction: 'Транзакция',
  order: 'Заказ',
  viewTransaction: 'Показать транзакцию',
}
