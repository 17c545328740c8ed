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
}
