'use server'

import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { isEmail } from '../../lib/isEmail'
import { readClient } from '../../lib/session/readClient'
import { sendSignInMail } from '../../lib/session/sendSignInMail'
import { createSessionCookie, endSessionCookie } from '../../lib/session/session'
import { createSignInToken, takeSignInToken } from '../../lib/session/signInLink'
import { takeSignInTurn } from '../../lib/session/signInTurns'
import { getShop } from '../../lib/shop'

/** The result of requesting a link: the address it was sent to, or why none was sent. */
export type SignInState = { sentTo?: string; message?: string }

/** The result of following a link. */
export type ConfirmState = { message?: string }

const readField = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

/**
 * Returns this shop's address for a link in an e-mail. It trusts the request's own header only in a sandbox,
 * because any client can set it.
 */
const findShopUrl = async (isSandbox: boolean): Promise<string | undefined> => {
  if (process.env.KASSA_SHOP_URL) return process.env.KASSA_SHOP_URL
  const host = (await headers()).get('host')
  return isSandbox && host ? `http://${host}` : undefined
}

/** Sends a sign-in link to an address. The answer does not reveal whether the address is known. */
export const askForLink = async (_: SignInState, form: FormData): Promise<SignInState> => {
  const email = readField(form, 'email').toLowerCase()
  if (!isEmail(email)) return { message: 'Enter an e-mail address, such as ada@example.com.' }
  const shop = await getShop()
  if (!shop) return { message: 'The shop’s service does not answer at the moment. Try again shortly.' }
  const shopUrl = await findShopUrl(shop.isSandbox)
  if (!shop.isSandbox || !shopUrl) return { message: 'This shop does not send sign-in links yet.' }
  if (!takeSignInTurn(email, readClient(await headers()), Date.now()))
    return {
      message: 'Several links were asked for just now. Look for the last one, or try again in a minute.',
    }
  sendSignInMail(email, new URL(`/wallet/sign-in?token=${createSignInToken(email)}`, shopUrl).href)
  return { sentTo: email }
}

/** Signs in by a link. It takes a button press, so that a mail program that opens links does not sign in. */
export const confirmLink = async (_: ConfirmState, form: FormData): Promise<ConfirmState> => {
  const claim = takeSignInToken(readField(form, 'token'))
  if (!claim) return { message: 'This link was used before, or its time is over. Ask for a new one.' }
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
