import { findLocale } from 'kassa/schema'
import { createCheckoutHandler } from 'kassa/server'
import { readEnvironment } from '../../../../lib/environment'
import { getLanguage } from '../../../../lib/language/getLanguage'
import { getTranslate } from '../../../../lib/language/getTranslate'
import { readCart } from '../../../../lib/readCart'
import { getShop } from '../../../../lib/shop'

const { baseUrl, serverKey } = readEnvironment(process.env)

const handle = createCheckoutHandler({
  baseUrl,
  apiKey: serverKey,
  // The secret that opens an order stays in an HTTP-only cookie.
  session: 'cookie',
  // This shop runs as a server, which may keep a request open for as long as a buyer looks at an order.
  stream: true,
  createOrder: async (cart) => {
    const [shop, language, t] = await Promise.all([getShop(), getLanguage(), getTranslate('buy')])
    return { ...readCart(cart, shop?.editions ?? [], t), locale: findLocale(language) }
  },
})

export { handle as GET, handle as PATCH, handle as POST }
