import compile from 'icu-minify/compile'
import type { Language } from '../lib/language/languages'
import type { Messages } from './Messages'

const modules: { [Name in Language]: () => Promise<{ messages: Messages }> } = {
  de: () => import('./de'),
  en: () => import('./en'),
  es: () => import('./es'),
  fr: () => import('./fr'),
  it: () => import('./it'),
  ja: () => import('./ja'),
  ko: () => import('./ko'),
  pt: () => import('./pt'),
  ru: () => import('./ru'),
  th: () => import('./th'),
  tr: () => import('./tr'),
  uk: () => import('./uk'),
  vi: () => import('./vi'),
  'zh-CN': () => import('./zh-CN'),
  'zh-TW': () => import('./zh-TW'),
}

const parse = (messages: Messages): Messages => {
  const groups = Object.entries(messages).map(([name, group]) => [
    name,
    Object.fromEntries(Object.entries(group).map(([key, sentence]) => [key, compile(sentence)])),
  ])
  // React sends plain objects only, and those of the parser have no prototype.
  return JSON.parse(JSON.stringify(Object.fromEntries(groups)))
}

const parsed = new Map<Language, Promise<Messages>>()

/**
 * Loads the shop's sentences in a language. They are parsed here, so that browsers download no parser: see the alias in
 * `next.config.ts`.
 */
export const loadMessages = (language: Language): Promise<Messages> => {
  const known = parsed.get(language) ?? modules[language]().then(({ messages }) => parse(messages))
  parsed.set(language, known)
  return known
}
