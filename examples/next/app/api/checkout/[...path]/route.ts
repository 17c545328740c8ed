import { createCheckoutHandler } from 'kassa/server'
import { readEnvironment } from '../../../../lib/environment'
import { readCart } from '../../../../lib/readCart'
import { getShop } from '../../../../lib/shop'

const { baseUrl, serverKey } = readEnvironment(process.env)

const handle = createCheckoutHandler({
  baseUrl,
  apiKey: serverKey,
  // The secret that opens an order stays in an HTTP-only cookie.
  session: 'cookie',
  createOrder: async (cart) => readCart(cart, (await getShop())?.editions ?? []),
})

export { handle as GET, handle as PATCH, handle as POST }
