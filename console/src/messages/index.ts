import { en } from './en.js'

/** The sentences of the console. Every language has all of them. */
export type Messages = typeof en

const languages: Readonly<Record<string, Messages>> = { en }

const preferred = navigator.languages.map((tag) => tag.split('-')[0] ?? '')

/** The language of the page: the first of the reader's that there is. */
export const language = preferred.find((tag) => tag in languages) ?? 'en'

const isTag = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

/** The reader's own language, which numbers are shown and read in even if the page has no sentences in it. */
export const locale = navigator.languages.find(isTag) ?? 'en'

/** The sentences in the reader's language. */
export const t: Messages = languages[language] ?? en
