import type { messages } from './en'

/** The English sentences, word for word, so that the compiler knows what each needs filled in. */
export type English = typeof messages

/** A page's sentences, or a group of them. */
export type Namespace = keyof English

/** Every sentence of the shop in one language. A translation that lacks one does not compile. */
export type Messages = {
  [Group in Namespace]: { [Key in keyof English[Group]]: string }
}

declare module 'use-intl' {
  interface AppConfig {
    Messages: English
  }
}
