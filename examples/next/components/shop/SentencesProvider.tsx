'use client'

import type { ReactNode } from 'react'
import { IntlProvider } from 'use-intl'
import type { English, Messages } from '../../messages/Messages'

/** Props of {@link SentencesProvider}. */
export type SentencesProviderProps = {
  /** The locale of numbers and dates, such as `de-DE`. */
  locale: string
  messages: Partial<Messages>
  children: ReactNode
}

/** Gives the components inside it sentences in one language. */
export function SentencesProvider({ locale, messages, children }: SentencesProviderProps) {
  return (
    <IntlProvider locale={locale} messages={messages as Partial<English>} timeZone="UTC">
      {children}
    </IntlProvider>
  )
}
