import { replaceEqualDeep } from '@tanstack/react-query'
import type { LineItem, Order } from 'kassa/schema'
import { useCallback, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { DeliveryElement, ImageElement, NameElement, PriceElement, QuantityElement } from './elements.js'
import { createOrder } from './orders.js'
import { startVariant } from './startVariant.js'

type Field = 'metadata' | 'quantity' | 'quote' | 'delivery'

let order = createOrder(0)
const listeners = new Map<string, Set<() => void>>()

const wake = (index: number, field: Field): void => {
  for (const listener of listeners.get(`${index}.${field}`) ?? []) listener()
}

const useField = <Name extends Field>(index: number, field: Name): LineItem[Name] | undefined => {
  const subscribe = useCallback(
    (listener: () => void) => {
      const key = `${index}.${field}`
      const group = listeners.get(key) ?? new Set()
      listeners.set(key, group.add(listener))
      return () => void group.delete(listener)
    },
    [index, field],
  )
  return useSyncExternalStore(subscribe, () => order.lineItems[index]?.[field])
}

type At = { index: number }

const Image = ({ index }: At) => {
  const metadata = useField(index, 'metadata')
  return ImageElement({ src: metadata?.imageUrl, alt: metadata?.name })
}
const Name = ({ index }: At) => NameElement({ name: useField(index, 'metadata')?.name })
const Quantity = ({ index }: At) => QuantityElement({ quantity: useField(index, 'quantity') })
const Price = ({ index }: At) => {
  const price = useField(index, 'quote')?.totalPrice
  return PriceElement({ amount: price?.amount, currency: price?.currency })
}
const Delivery = ({ index }: At) => DeliveryElement({ status: useField(index, 'delivery')?.status })

const Item = ({ index }: At) => (
  <li data-status={useField(index, 'delivery')?.status}>
    <Image index={index} />
    <Name index={index} />
    <Quantity index={index} />
    <Price index={index} />
    <Delivery index={index} />
  </li>
)

/** Compares a new order with the one on the page, and notifies the components that show a difference. */
const compare = (next: Order): void => {
  const before = order
  order = replaceEqualDeep(before, next)
  order.lineItems.forEach((item, index) => {
    const was = before.lineItems[index]
    if (item === was) return
    for (const field of ['metadata', 'quantity', 'quote', 'delivery'] as const) {
      if (item[field] !== was?.[field]) wake(index, field)
    }
  })
}

startVariant({
  mount: (container, first) => {
    order = first
    createRoot(container).render(
      <ul>
        {first.lineItems.map((_, index) => (
          <Item key={index} index={index} />
        ))}
      </ul>,
    )
  },
  update: (next, at, change) => {
    if (change === 'fresh') return compare(next)
    order = next
    wake(at, 'quantity')
  },
})
