import { en } from './en.js'

/** The sentences of the console. Every language has all of them. */
export type Messages = typeof en

const languages: Readonly<Record<string, Messages>> = { en }

const preferred = navigator.languages.map((tag) => tag.split('-')[0] ?? '')

/** The language of the page: the first of the reader's that there is. */
export const language = preferred.find((tag) => tag in languages) ?? 'en'

/** The sentences in the reader's language. */
export const t: Messages = languages[language] ?? en
