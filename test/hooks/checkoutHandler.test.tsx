import { act, waitFor } from '@testing-library/react'
import { expect, inject, test } from 'vitest'
import { createClient } from '../../src/api/index.js'
import { useCreateOrder } from '../../src/hooks/useCreateOrder.js'
import { useEditOrder } from '../../src/hooks/useEditOrder.js'
import { useOrder } from '../../src/hooks/useOrder.js'
import { usePayOrder } from '../../src/hooks/usePayOrder.js'
import { createCheckoutHandler } from '../../src/server/createCheckoutHandler.js'
import { createBuyer } from '../helpers/createBuyer.js'
import { createShopBrowser } from '../helpers/shopBrowser.js'
import { cartBody, createDraft } from '../server/checkoutShop.js'
import { renderBuyerHook } from './wrapper.js'

const shop = inject('shop')

/** A buyer whose browser knows nothing but the shop's own handler. */
const visit = async (session: 'secret' | 'cookie') => {
  const browser = createShopBrowser(
    createCheckoutHandler({
      baseUrl: shop.baseUrl,
      apiKey: shop.serverKey,
      session,
      createOrder: createDraft,
    }),
  )
  const buyer = await createBuyer(shop)
  const client = createClient({ baseUrl: '/api/checkout', fetch: browser.fetch })
  return { ...buyer, client, browser }
}

test.each(['secret', 'cookie'] as const)(
  'behavior: from the cart to the delivered token, through the handler (session: %s)',
  async (session) => {
    const buyer = await visit(session)
    const { address } = buyer.account
    const created = renderBuyerHook(buyer, () => useCreateOrder())
    const { order, clientSecret } = await act(() =>
      created.result.current.mutateAsync({
        cart: { edition: 'dunes' },
        payment: { method: 'base-sepolia' as const, currency: 'eth', payerAddress: address },
      }),
    )
    expect(clientSecret.slice(0, 3)).toBe(session === 'cookie' ? '' : 'cs_')
    const opened = { orderId: order.orderId, clientSecret }
    const { result } = renderBuyerHook(buyer, () => ({
      order: useOrder(opened),
      edit: useEditOrder(opened),
      payment: usePayOrder(opened),
    }))
    expect(result.current.order.data).toEqual(order)
    await act(() => result.current.edit.mutateAsync({ recipient: { walletAddress: address } }))
    await waitFor(() => expect(result.current.order.data?.payment.status).toBe('awaiting-payment'))
    await act(() => result.current.payment.pay())
    expect(result.current.payment.step).toMatchObject({ status: 'paid' })
    await waitFor(() => expect(result.current.order.data?.phase).toBe('completed'))
    expect(result.current.order.data?.lineItems[0]?.delivery.status).toBe('completed')
    expect(buyer.countSent()).toBe(1)
    const { answers, jar } = buyer.browser
    expect(answers.map(({ path }) => path)).toContain(
      `/api/checkout/2022-06-09/orders/${order.orderId}/payment`,
    )
    const secret = [...jar.values()][0] ?? 'none'
    expect(answers.some(({ text }) => text.includes(secret))).toBe(false)
  },
)

test('error: api.bad-request with the words of the shop', async () => {
  const buyer = await visit('cookie')
  const { result } = renderBuyerHook(buyer, () => useCreateOrder())
  act(() => result.current.mutate({ ...cartBody, cart: { edition: 'moon' } }))
  await waitFor(() => expect(result.current.error?.code).toBe('api.bad-request'))
  expect(result.current.error?.message).toContain('This is not on sale.')
})
