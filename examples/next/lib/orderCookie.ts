import type { cookies } from 'next/headers'

type Cookies = Awaited<ReturnType<typeof cookies>>

const name = 'recto-order'

/**
 * Keeps an order's client secret where only this server and only that order's page can read it.
 *
 * @param isSecure - Whether the shop is visited over https.
 */
export const setOrderCookie = (
  jar: Cookies,
  order: { orderId: string; clientSecret: string },
  isSecure: boolean,
): void => {
  jar.set(name, order.clientSecret, {
    path: `/checkout/${order.orderId}`,
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure,
    maxAge: 7 * 24 * 60 * 60,
  })
}

/** The client secret of the order whose page is being visited. */
export const getOrderCookie = (jar: Cookies): string | undefined => jar.get(name)?.value
