import { findLocale } from 'kassa/schema'
import type { ReactNode } from 'react'
import { getLanguage } from '../../lib/language/getLanguage'
import { loadMessages } from '../../messages'
import type { Namespace } from '../../messages/Messages'
import { SentencesProvider } from './SentencesProvider'

/**
 * Gives client components their sentences in the visitor's language.
 *
 * @param of - The groups that they say. A browser downloads no others.
 */
export async function Sentences({ of, children }: { of: readonly Namespace[]; children: ReactNode }) {
  const language = await getLanguage()
  const messages = await loadMessages(language)
  const needed = Object.fromEntries(of.map((name) => [name, messages[name]]))
  return (
    <SentencesProvider locale={findLocale(language)} messages={needed}>
      {children}
    </SentencesProvider>
  )
}
