'use server'

import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { isEmail } from '../../lib/isEmail'
import { getLanguage } from '../../lib/language/getLanguage'
import { getTranslate } from '../../lib/language/getTranslate'
import { readClient } from '../../lib/session/readClient'
import { sendSignInMail } from '../../lib/session/sendSignInMail'
import { createSessionCookie, endSessionCookie } from '../../lib/session/session'
import { createSignInToken, takeSignInToken } from '../../lib/session/signInLink'
import { takeSignInTurn } from '../../lib/session/signInTurns'
import { getShop } from '../../lib/shop'
import { getShopUrl } from '../../lib/shopUrl'

/** The result of requesting a link: the address it was sent to, or why none was sent. */
export type SignInState = { sentTo?: string; message?: string }

/** The result of following a link. */
export type ConfirmState = { message?: string }

const readField = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

/** Sends a sign-in link to an address. The answer does not reveal whether the address is known. */
export const askForLink = async (_: SignInState, form: FormData): Promise<SignInState> => {
  const email = readField(form, 'email').toLowerCase()
  const [shop, t, common] = await Promise.all([getShop(), getTranslate('signIn'), getTranslate('common')])
  if (!isEmail(email)) return { message: common('emailLike', { example: 'ada@example.com' }) }
  if (!shop) return { message: common('serviceAway') }
  const shopUrl = await getShopUrl()
  if (!shop.isSandbox || !shopUrl) return { message: t('noLinks') }
  if (!takeSignInTurn(email, readClient(await headers()), Date.now())) return { message: t('tooManyLinks') }
  await sendSignInMail(email, {
    url: new URL(`/wallet/sign-in?token=${createSignInToken(email)}`, shopUrl).href,
    language: await getLanguage(),
  })
  return { sentTo: email }
}

/** Signs in by a link. It takes a button press, so that a mail program that opens links does not sign in. */
export const confirmLink = async (_: ConfirmState, form: FormData): Promise<ConfirmState> => {
  const claim = takeSignInToken(readField(form, 'token'))
  if (!claim) {
    const t = await getTranslate('signIn')
    return { message: t('usedLink') }
  }
  const [jar, visit] = await Promise.all([cookies(), headers()])
  jar.set(createSessionCookie(claim, visit))
  redirect('/wallet')
}

/** Signs out in this browser. */
export const signOut = async (): Promise<void> => {
  const [jar, visit] = await Promise.all([cookies(), headers()])
  jar.set(endSessionCookie(visit))
  redirect('/wallet')
}
