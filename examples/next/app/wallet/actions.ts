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

/** What became of asking for a link: to whom it went, or why none was sent. */
export type SignInState = { sentTo?: string; message?: string }

/** What became of a link that was followed. */
export type ConfirmState = { message?: string }

const readField = (form: FormData, name: string): string => {
  const value = form.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

/** Where this shop is, for a link in a mail. A request's own word counts in a sandbox alone: anybody can write one. */
const findShopUrl = async (isSandbox: boolean): Promise<string | undefined> => {
  if (process.env.KASSA_SHOP_URL) return process.env.KASSA_SHOP_URL
  const host = (await headers()).get('host')
  return isSandbox && host ? `http://${host}` : undefined
}

/** Sends a link to an address. Whether anybody is known by it, the answer does not tell. */
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

/** Signs in by a link. It takes a button, so that a mail program that looks at links signs nobody in. */
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
