'use server'

import { getOrder, orderCookie, readOrderCookie } from 'kassa/server'
import { cookies, headers } from 'next/headers'
import { getEditionId } from '../../../lib/editionPath'
import { isEmail } from '../../../lib/isEmail'
import { getLanguage } from '../../../lib/language/getLanguage'
import { getTranslate } from '../../../lib/language/getTranslate'
import { createShopClient } from '../../../lib/serverClient'
import { createOrderToken, readOrderToken } from '../../../lib/session/orderLink'
import { readClient } from '../../../lib/session/readClient'
import { sendReceiptMail } from '../../../lib/session/sendReceiptMail'
import { takeSignInTurn } from '../../../lib/session/signInTurns'
import { getShop } from '../../../lib/shop'
import { getShopUrl } from '../../../lib/shopUrl'

/** The result of asking for a receipt: the address it was sent to, or why it was not sent. */
export type MailReceiptState = { sentTo?: string; message?: string }

/** Sends the receipt of an order that this browser may open to an e-mail address. */
export const mailReceipt = async (_: MailReceiptState, form: FormData): Promise<MailReceiptState> => {
  const [email, orderId] = [form.get('email'), form.get('orderId')].map((field) =>
    typeof field === 'string' ? field.trim() : '',
  )
  const [shop, jar, visit, t, common] = await Promise.all([
    getShop(),
    cookies(),
    headers(),
    getTranslate('receipt'),
    getTranslate('common'),
  ])
  if (!email || !isEmail(email)) return { message: common('emailLike', { example: 'ada@example.com' }) }
  const clientSecret = orderId && readOrderCookie(jar, orderId, { headers: visit })
  if (!shop || !orderId || !clientSecret) return { message: t('unreadable') }
  const shopUrl = await getShopUrl()
  if (!shop.isSandbox || !shopUrl) return { message: t('noMail') }
  if (!takeSignInTurn(email.toLowerCase(), readClient(visit), Date.now()))
    return { message: t('tooManyMails') }
  try {
    const order = await getOrder(createShopClient(), { orderId, clientSecret })
    const token = createOrderToken({ orderId, clientSecret }, Date.now())
    // Browsers send no server what follows the #, so the token is in no log.
    await sendReceiptMail(email, order, {
      url: new URL(`/checkout/${orderId}#open=${token}`, shopUrl).href,
      language: await getLanguage(),
      pictureUrl: shop.editions.find(({ id }) => id === getEditionId(order))?.imageUrl,
      networks: shop.networks,
    })
  } catch {
    return { message: common('serviceAway') }
  }
  return { sentTo: email }
}

/**
 * Lets this browser open the order of a link in an e-mail.
 *
 * @returns Whether the link is valid and of this order.
 */
export const openOrder = async (orderId: string, token: string): Promise<boolean> => {
  const opened = readOrderToken(String(token), Date.now())
  if (!opened || opened.orderId !== orderId) return false
  const [jar, visit] = await Promise.all([cookies(), headers()])
  jar.set(orderCookie(opened, { headers: visit }))
  return true
}
