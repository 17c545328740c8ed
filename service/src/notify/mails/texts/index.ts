import type { Locale } from 'kassa/schema'
import { texts as deDE } from './de-DE.js'
import { texts as enUS } from './en-US.js'
import { texts as esES } from './es-ES.js'
import { texts as frFR } from './fr-FR.js'
import { texts as itIT } from './it-IT.js'
import { texts as jaJP } from './ja-JP.js'
import { texts as koKR } from './ko-KR.js'
import type { MailTexts } from './MailTexts.js'
import { texts as ptPT } from './pt-PT.js'
import { texts as ruRU } from './ru-RU.js'
import { texts as thTH } from './th-TH.js'
import { texts as trTR } from './tr-TR.js'
import { texts as ukUA } from './uk-UA.js'
import { texts as viVN } from './vi-VN.js'
import { texts as zhCN } from './zh-CN.js'
import { texts as zhTW } from './zh-TW.js'

export type { MailTexts } from './MailTexts.js'

/** What the e-mails say, in every language. */
export const mailTexts: Readonly<Record<Locale, MailTexts>> = {
  'en-US': enUS,
  'es-ES': esES,
  'fr-FR': frFR,
  'it-IT': itIT,
  'ko-KR': koKR,
  'pt-PT': ptPT,
  'ja-JP': jaJP,
  'zh-CN': zhCN,
  'zh-TW': zhTW,
  'de-DE': deDE,
  'ru-RU': ruRU,
  'tr-TR': trTR,
  'uk-UA': ukUA,
  'th-TH': thTH,
  'vi-VN': viVN,
}
