import { findLocale, type Locale } from 'kassa/schema'
import type { Messages } from './Messages.js'

export type { Messages } from './Messages.js'

const modules: { [Name in Locale]: () => Promise<{ messages: Messages }> } = {
  'en-US': () => import('./en-US.js'),
  'de-DE': () => import('./de-DE.js'),
  'es-ES': () => import('./es-ES.js'),
  'fr-FR': () => import('./fr-FR.js'),
  'it-IT': () => import('./it-IT.js'),
  'pt-PT': () => import('./pt-PT.js'),
  'ru-RU': () => import('./ru-RU.js'),
  'uk-UA': () => import('./uk-UA.js'),
  'tr-TR': () => import('./tr-TR.js'),
  'ja-JP': () => import('./ja-JP.js'),
  'ko-KR': () => import('./ko-KR.js'),
  'zh-CN': () => import('./zh-CN.js'),
  'zh-TW': () => import('./zh-TW.js'),
  'th-TH': () => import('./th-TH.js'),
  'vi-VN': () => import('./vi-VN.js'),
}

/** The buyer's language: the one in the address, as `?lang=de`, or the browser's first. */
export const locale = findLocale(
  new URLSearchParams(location.search).get('lang') ?? navigator.languages[0] ?? navigator.language,
)

/** Loads the page's sentences in the buyer's language. */
export const loadPageMessages = async (): Promise<Messages> => (await modules[locale]()).messages
