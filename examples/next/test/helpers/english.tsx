import type { ReactNode } from 'react'
import { SentencesProvider } from '../../components/shop/SentencesProvider'
import { createTranslate } from '../../lib/language/createTranslate'
import { messages } from '../../messages/en'
import type { Namespace } from '../../messages/Messages'

/** Returns a function that says the sentences of one group in English. */
export const translate = <const Name extends Namespace>(namespace: Name) =>
  createTranslate('en', messages, namespace)

/** Gives the components inside it all sentences in English. */
export function InEnglish({ children }: { children: ReactNode }) {
  return (
    <SentencesProvider locale="en-US" messages={messages}>
      {children}
    </SentencesProvider>
  )
}
