import type { Order } from 'kassa/schema'
import { type ComponentType, type ReactNode, useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { DeliveryElement, ImageElement, NameElement, PriceElement, QuantityElement } from './elements.js'
import { startVariant } from './startVariant.js'

type Line = {
  id: string
  quantity: number
  merchandise: { title: string | undefined; image: { url: string | undefined } }
  cost: { totalAmount: { amount: string | undefined; currencyCode: string | undefined } }
  attributes: { key: string; value: string }[]
}

type Cart = { lines: Line[]; linesUpdate(lines: { id: string; quantity: number | undefined }[]): void }

/** What the bench needs of `@shopify/hydrogen-react`, which is installed for it alone. */
export type Hydrogen = {
  ShopifyProvider: ComponentType<Record<string, unknown> & { children: ReactNode }>
  CartProvider: ComponentType<{ data: object; children: ReactNode }>
  CartLineProvider: ComponentType<{ line: Line; children: ReactNode }>
  useCart(): Cart
  useCartLine(): Line
}

const toCart = ({ orderId, lineItems }: Order) => ({
  id: orderId,
  buyerIdentity: { countryCode: 'US' },
  lines: {
    nodes: lineItems.map(
      ({ quantity = 0, metadata, quote, delivery }, index): Line => ({
        id: `line-${index}`,
        quantity,
        merchandise: { title: metadata?.name, image: { url: metadata?.imageUrl } },
        cost: {
          totalAmount: { amount: quote.totalPrice?.amount, currencyCode: quote.totalPrice?.currency },
        },
        attributes: [{ key: 'delivery', value: delivery.status }],
      }),
    ),
  },
})

/** Offers a page that draws the order as a cart of hydrogen-react. */
export const startHydrogen = (hydrogen: Hydrogen): void => {
  const { ShopifyProvider, CartProvider, CartLineProvider, useCart, useCartLine } = hydrogen
  let linesUpdate: Cart['linesUpdate']
  let answer = (_order: Order): void => undefined
  let awaited: Order

  const Image = () => {
    const { title, image } = useCartLine().merchandise
    return ImageElement({ src: image.url, alt: title })
  }
  const Name = () => NameElement({ name: useCartLine().merchandise.title })
  const Quantity = () => QuantityElement({ quantity: useCartLine().quantity })
  const Price = () => {
    const { amount, currencyCode } = useCartLine().cost.totalAmount
    return PriceElement({ amount, currency: currencyCode })
  }
  const Delivery = () => DeliveryElement({ status: useCartLine().attributes[0]?.value })

  const Item = () => (
    <li data-status={useCartLine().attributes[0]?.value}>
      <Image />
      <Name />
      <Quantity />
      <Price />
      <Delivery />
    </li>
  )

  const Items = () => {
    const cart = useCart()
    useLayoutEffect(() => {
      linesUpdate = cart.linesUpdate
    })
    return (
      <ul>
        {cart.lines.map((line) => (
          <CartLineProvider key={line.id} line={line}>
            <Item />
          </CartLineProvider>
        ))}
      </ul>
    )
  }

  // Answers when it is told to, with what is there already, so that neither the network nor JSON is measured.
  window.fetch = () =>
    new Promise((resolve) => {
      answer = (order) =>
        resolve(
          Object.assign(new Response(), {
            json: async () => ({ data: { cartLinesUpdate: { cart: toCart(order) } } }),
          }),
        )
    })

  startVariant({
    mount: (container, order) =>
      createRoot(container).render(
        <ShopifyProvider
          storeDomain={location.origin}
          storefrontToken="token"
          storefrontApiVersion="2026-04"
          countryIsoCode="US"
          languageIsoCode="EN"
        >
          <CartProvider data={toCart(order)}>
            <Items />
          </CartProvider>
        </ShopifyProvider>,
      ),
    prepare: (next, at, change) => {
      awaited = next
      // What the shop answers differs from what was asked for, so that its cart is what is waited for.
      if (change === 'fresh') linesUpdate([{ id: `line-${at}`, quantity: 1_000_000 }])
    },
    update: (next, at, change) => {
      if (change === 'fresh') return answer(next)
      linesUpdate([{ id: `line-${at}`, quantity: next.lineItems[at]?.quantity }])
    },
    finish: (change) => {
      if (change === 'field') answer(awaited)
    },
  })
}
