import { findLocale } from 'kassa/schema'
import { createTranslator, type useTranslations } from 'use-intl'
import type { English, Messages, Namespace } from '../../messages/Messages'
import type { Language } from './languages'

/** Says the sentences of one group in one language, and fills in their gaps. */
export type Translate<Name extends Namespace> = ReturnType<typeof useTranslations<Name>>

/** Creates a function that says the sentences of one group in a language. */
export const createTranslate = <const Name extends Namespace>(
  language: Language,
  messages: Messages,
  namespace: Name,
): Translate<Name> =>
  createTranslator({
    locale: findLocale(language),
    // A cast on purpose: English stands for all languages, whose placeholders a test compares with it.
    messages: messages as English,
    namespace,
    timeZone: 'UTC',
  })
