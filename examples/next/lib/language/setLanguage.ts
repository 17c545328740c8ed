'use server'

import { cookies } from 'next/headers'
import { languageCookie } from './chooseLanguage'
import { isLanguage } from './languages'

const aYear = 365 * 24 * 60 * 60

/** Remembers the language that a visitor chose. The page is sent again in it. */
export const setLanguage = async (form: FormData): Promise<void> => {
  const chosen = form.get('language')
  if (typeof chosen !== 'string' || !isLanguage(chosen)) return
  const jar = await cookies()
  jar.set({ name: languageCookie, value: chosen, path: '/', sameSite: 'lax', maxAge: aYear, httpOnly: true })
}
