import { cookies, headers } from 'next/headers'
import { cache } from 'react'
import { chooseLanguage, languageCookie } from './chooseLanguage'
import type { Language } from './languages'

/** Returns the language of the page that is requested. */
export const getLanguage = cache(async (): Promise<Language> => {
  const [jar, visit] = await Promise.all([cookies(), headers()])
  return chooseLanguage(jar.get(languageCookie)?.value, visit.get('accept-language'))
})
