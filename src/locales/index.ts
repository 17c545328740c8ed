import { findLocale } from '../schema/localeTag.js'
import type { Locale } from '../schema/orderMembers.js'
import type { Messages } from './Messages.js'

export type { Messages } from './Messages.js'

type Module = Promise<{ messages: Messages }>

/** Every language as a separate module that loads on demand. */
const modules: { [Name in Locale]: () => Module } = {
  'en-US': () => import('./en-US.js'),
  'es-ES': () => import('./es-ES.js'),
  'fr-FR': () => import('./fr-FR.js'),
  'it-IT': () => import('./it-IT.js'),
  'ko-KR': () => import('./ko-KR.js'),
  'pt-PT': () => import('./pt-PT.js'),
  'ja-JP': () => import('./ja-JP.js'),
  'zh-CN': () => import('./zh-CN.js'),
  'zh-TW': () => import('./zh-TW.js'),
  'de-DE': () => import('./de-DE.js'),
  'ru-RU': () => import('./ru-RU.js'),
  'tr-TR': () => import('./tr-TR.js'),
  'uk-UA': () => import('./uk-UA.js'),
  'th-TH': () => import('./th-TH.js'),
  'vi-VN': () => import('./vi-VN.js'),
}

/**
 * Loads the parts' texts in an order's language.
 *
 * @param locale - The order's locale, such as `de-DE`.
 * @returns The sentences of that locale, else of its language, else English.
 * @example
 * ```tsx
 * import { CheckoutProvider, type Client } from 'kassa'
 * import { loadMessages } from 'kassa/locales'
 * import type { ReactNode } from 'react'
 *
 * export const Shop = (props: { client: Client; children: ReactNode }) => (
 *   <CheckoutProvider client={props.client} messages={loadMessages}>
 *     {props.children}
 *   </CheckoutProvider>
 * )
 * ```
 */
export const loadMessages = async (locale: string): Promise<Messages> =>
  (await modules[findLocale(locale)]()).messages
