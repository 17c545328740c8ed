import { CreateOrderAnswer } from 'kassa/schema'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createShop, orderBody, ordersPath } from '../../helpers/createShop.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const header = 'x-kassa-ignored-fields'
const [lineItem, payment] = [orderBody.lineItems, orderBody.payment]

describe('in staging', () => {
  const shop = openBeforeAll(createShop)
  const ignoredOf = async (body: object): Promise<string | null> => {
    const response = await shop.send('POST', ordersPath, { body })
    expect(response.status).toBe(201)
    expect(response.headers.get('access-control-expose-headers')).toContain(header)
    return response.headers.get(header)
  }

  test('default: nothing is named where every field is known', async () => {
    const more = { locale: 'de-DE', metadata: { anything: { at: 'all' } } }
    const callData = { quantity: 2, size: 'L' }
    expect(await ignoredOf({ ...orderBody, ...more, lineItems: [{ ...lineItem, callData }] })).toBe(null)
    expect(await ignoredOf({ ...orderBody, gift: null, promotionCode: null })).toBe(null)
  })

  test.each([
    ['of the body', { ...orderBody, recipients: {} }, 'recipients'],
    ['of an object', { ...orderBody, payment: { ...payment, reciptEmail: 'a@b.de' } }, 'payment.reciptEmail'],
    ['of a single line item', { ...orderBody, lineItems: { ...lineItem, amount: 2 } }, 'lineItems.amount'],
    [
      'of a list',
      { ...orderBody, lineItems: [lineItem, { ...lineItem, amount: 2, size: 'L' }] },
      'lineItems[1].amount, lineItems[1].size',
    ],
    ['of any name', { ...orderBody, 'a\nb, ü': 1 }, 'a%0Ab%2C%20%C3%BC'],
  ])('behavior: names the fields %s, and takes the order', async (_, body, fields) => {
    expect(await ignoredOf(body)).toBe(fields)
  })

  test('behavior: a header has an end', async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`field${index}`, index]))
    expect((await ignoredOf({ ...orderBody, ...many }))?.length).toBe(500)
  })

  test('behavior: quantity of a line item is callData.quantity, and both agree', async () => {
    const buy = (item: object) =>
      shop.send('POST', ordersPath, { body: { ...orderBody, lineItems: { ...lineItem, ...item } } })
    for (const item of [
      { quantity: 3 },
      { quantity: 3, callData: { quantity: 3 } },
      { callData: { quantity: 3 } },
    ]) {
      const { order } = z.parse(CreateOrderAnswer, await (await buy(item)).json())
      expect(order).toMatchObject({
        lineItems: [{ quantity: 3, callData: { quantity: 3 } }],
        quote: { totalPrice: { amount: '0.03' } },
      })
    }
    for (const [item, message] of [
      [{ quantity: 0 }, 'lineItems[0].quantity: expected 1 or more'],
      [{ quantity: '3' }, 'lineItems[0].quantity: expected a whole number'],
      [
        { quantity: 3, callData: { quantity: 2 } },
        'lineItems[0].quantity: expected the same number as callData.quantity, or only one of the two',
      ],
    ] as const) {
      const refused = await buy(item)
      expect([refused.status, await refused.json()]).toEqual([400, expect.objectContaining({ message })])
    }
  })
})

describe('in production', () => {
  const shop = openBeforeAll(() => createShop({ config: { environment: 'production' } }))

  test('behavior: nothing is named', async () => {
    const response = await shop.send('POST', ordersPath, { body: { ...orderBody, unknown: 1 } })
    expect(response.headers.get(header)).toBe(null)
  })
})
