'use server'

import { createOrder, isKassaError, orderCookie } from 'kassa/server'
import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { explainOrder } from '../../../lib/explainOrder'
import { getEditionPayOptions } from '../../../lib/payOptions'
import { readCart } from '../../../lib/readCart'
import { createShopClient } from '../../../lib/serverClient'
import { getShop } from '../../../lib/shop'

/** The message a buyer sees when the order could not be created. */
export type BuyState = { message?: string }

/**
 * Creates an order with the server's key and opens its checkout, with or without JavaScript. The browser
 * names only the edition, the quantity and the currency; the service sets the price.
 */
export const buy = async (_: BuyState, form: FormData): Promise<BuyState> => {
  const shop = await getShop()
  const edition = shop?.editions.find(({ id }) => id === form.get('edition'))
  if (!shop) return { message: explainOrder(undefined) }
  if (!edition) return { message: 'This edition is no longer on sale.' }
  const option = getEditionPayOptions(shop.networks, edition).find(
    ({ currency }) => currency === form.get('currency'),
  )
  if (!option) return { message: 'Choose a currency to pay in.' }

  let orderId: string
  try {
    const created = await createOrder(createShopClient(), {
      body: {
        ...readCart({ items: [{ edition: edition.id, quantity: Number(form.get('quantity')) }] }, [edition]),
        payment: { method: edition.chain, currency: option.currency },
      },
    })
    orderId = created.order.orderId
    const [jar, visit] = await Promise.all([cookies(), headers()])
    jar.set(orderCookie({ orderId, clientSecret: created.clientSecret }, { headers: visit }))
  } catch (error) {
    console.error('An order could not be created.', isKassaError(error) ? error.code : error)
    return { message: explainOrder(error) }
  }
  redirect(`/checkout/${orderId}`)
}
