'use server'

import { findLocale } from 'kassa/schema'
import { createOrder, isKassaError, orderCookie } from 'kassa/server'
import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { explainOrder } from '../../../lib/explainOrder'
import { getLanguage } from '../../../lib/language/getLanguage'
import { getTranslate } from '../../../lib/language/getTranslate'
import { getPayOptions } from '../../../lib/payOptions'
import { readCart } from '../../../lib/readCart'
import { createShopClient } from '../../../lib/serverClient'
import { getShop } from '../../../lib/shop'

/** The message a buyer sees when the order could not be created. */
export type BuyState = { message?: string }

/**
 * Creates an order with the server's key and opens its checkout, with or without JavaScript. The browser names only the
 * editions and the quantity of each; the service sets the price. The buyer chooses the currency at the checkout.
 */
export const buy = async (_: BuyState, form: FormData): Promise<BuyState> => {
  const [shop, language, t, onPage] = await Promise.all([
    getShop(),
    getLanguage(),
    getTranslate('buy'),
    getTranslate('edition'),
  ])
  if (!shop) return { message: explainOrder(undefined, t) }
  const asked = form.getAll('edition').map(String)
  const first = shop.editions.find(({ id }) => id === asked[0])
  if (!first) return { message: t('notOnSale') }
  const [option] = getPayOptions(shop.networks, first)
  if (!option) return { message: onPage('unavailable') }
  const quantity = Number(form.get('quantity') ?? 1)

  let orderId: string
  try {
    const created = await createOrder(createShopClient(), {
      body: {
        ...readCart({ items: asked.map((edition) => ({ edition, quantity })) }, shop.editions, t),
        locale: findLocale(language),
        payment: { method: option.method, currency: option.currency },
      },
    })
    orderId = created.order.orderId
    const [jar, visit] = await Promise.all([cookies(), headers()])
    jar.set(orderCookie({ orderId, clientSecret: created.clientSecret }, { headers: visit }))
  } catch (error) {
    console.error('An order could not be created.', isKassaError(error) ? error.code : error)
    return { message: explainOrder(error, t) }
  }
  redirect(`/checkout/${orderId}`)
}
