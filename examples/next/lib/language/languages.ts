/** The shop's languages, by the names that their speakers call them. */
export const languages = {
  de: 'Deutsch',
  en: 'English',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
  ja: '日本語',
  ko: '한국어',
  pt: 'Português',
  ru: 'Русский',
  th: 'ไทย',
  tr: 'Türkçe',
  uk: 'Українська',
  vi: 'Tiếng Việt',
  'zh-CN': '中文（简体）',
  'zh-TW': '中文（繁體）',
} as const

/** A language of the shop, as its pages name it in `lang`. */
export type Language = keyof typeof languages

/** Whether a text names a language of the shop. */
export const isLanguage = (text: string | undefined): text is Language =>
  text !== undefined && Object.hasOwn(languages, text)
