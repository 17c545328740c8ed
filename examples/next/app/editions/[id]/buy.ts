'use server'

import { createClient, createOrder, isKassaError } from 'kassa/api'
import { cookies, headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { readEnvironment } from '../../../lib/environment'
import { multiply } from '../../../lib/money'
import { setOrderCookie } from '../../../lib/orderCookie'
import { getEditionPayOptions } from '../../../lib/payOptions'
import { getShop } from '../../../lib/shop'

/** What the buyer is told when no order was made. */
export type BuyState = { message?: string }

const away = 'The shop’s service does not answer at the moment. Nothing was ordered; try again shortly.'

const explain = (error: unknown): string => {
  if (isKassaError(error, 'api.rate-limited'))
    return 'Many people are buying right now. Try again in a moment.'
  if (isKassaError(error, 'api.bad-request')) return `This could not be ordered: ${error.context.message}`
  return away
}

/**
 * Creates an order with the server's key and opens its checkout. Of the browser it takes only what, how many and
 * in which currency: the price is the service's.
 */
export const buy = async (_: BuyState, form: FormData): Promise<BuyState> => {
  const { baseUrl, serverKey } = readEnvironment(process.env)
  const shop = await getShop()
  const edition = shop?.editions.find(({ id }) => id === form.get('edition'))
  if (!shop || !edition) return { message: shop ? 'This edition is no longer on sale.' : away }
  const quantity = Number(form.get('quantity'))
  if (!Number.isInteger(quantity) || quantity < 1 || quantity > 100) {
    return { message: 'Choose a quantity from 1 to 100.' }
  }
  const option = getEditionPayOptions(shop.networks, edition).find(
    ({ currency }) => currency === form.get('currency'),
  )
  if (!option) return { message: 'Choose a currency to pay in.' }

  let orderId: string
  try {
    const created = await createOrder(createClient({ baseUrl, apiKey: serverKey }), {
      body: {
        payment: { method: edition.chain, currency: option.currency },
        lineItems: { collectionLocator: edition.locator, callData: { quantity } },
        // The service names a price once it knows who buys; until then the checkout shows the shop's own.
        metadata: { listPrice: { amount: multiply(edition.price, quantity), currency: edition.currency } },
      },
    })
    orderId = created.order.orderId
    const isSecure = (await headers()).get('x-forwarded-proto')?.split(',')[0] === 'https'
    setOrderCookie(await cookies(), { orderId, clientSecret: created.clientSecret }, isSecure)
  } catch (error) {
    console.error('An order could not be created.', isKassaError(error) ? error.code : error)
    return { message: explain(error) }
  }
  redirect(`/checkout/${orderId}`)
}
