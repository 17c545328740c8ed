import { afterAll, beforeAll } from 'vitest'
import { createShop, type Shop } from './createShop.js'

/** Opens a shop before the tests of a file and closes it after them. Read its properties inside tests and hooks. */
export const useShop = (): Shop => {
  // A cast on purpose: the hook assigns the properties before any test reads them.
  const shop = {} as Shop
  beforeAll(async () => {
    Object.assign(shop, await createShop())
  })
  afterAll(() => shop.close())
  return shop
}
