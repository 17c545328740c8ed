import { type NextRequest, NextResponse } from 'next/server'
import { isShopkeeper } from './app/orders/isShopkeeper'

/** Pages for the shop's staff only. */
export const config = { matcher: ['/orders', '/orders/:path*'] }

/** Asks for the shop's password. The pages check it again; this only makes the browser prompt for it. */
export const proxy = (request: NextRequest): Response => {
  const password = process.env.KASSA_SHOP_PASSWORD
  if (!password || isShopkeeper(request.headers.get('authorization'), password)) return NextResponse.next()
  return new Response('This page asks for the password of the shop.', {
    status: 401,
    headers: { 'www-authenticate': 'Basic realm="Back office", charset="UTF-8"' },
  })
}
