import type { LineItem, Order } from 'kassa/schema'
import { createContext, useContext, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { DeliveryElement, ImageElement, NameElement, PriceElement, QuantityElement } from './elements.js'
import { startVariant } from './startVariant.js'

const OrderContext = createContext<Order | undefined>(undefined)

const useItem = (index: number): LineItem | undefined => useContext(OrderContext)?.lineItems[index]

type At = { index: number }

const Image = ({ index }: At) => {
  const metadata = useItem(index)?.metadata
  return ImageElement({ src: metadata?.imageUrl, alt: metadata?.name })
}
const Name = ({ index }: At) => NameElement({ name: useItem(index)?.metadata?.name })
const Quantity = ({ index }: At) => QuantityElement({ quantity: useItem(index)?.quantity })
const Price = ({ index }: At) => {
  const price = useItem(index)?.quote.totalPrice
  return PriceElement({ amount: price?.amount, currency: price?.currency })
}
const Delivery = ({ index }: At) => DeliveryElement({ status: useItem(index)?.delivery.status })

const Item = ({ index }: At) => (
  <li data-status={useItem(index)?.delivery.status}>
    <Image index={index} />
    <Name index={index} />
    <Quantity index={index} />
    <Price index={index} />
    <Delivery index={index} />
  </li>
)

const Items = () => (
  <ul>
    {useContext(OrderContext)?.lineItems.map((_, index) => (
      <Item key={index} index={index} />
    ))}
  </ul>
)

let setOrder: (order: Order) => void

const Root = ({ first }: { first: Order }) => {
  const [order, set] = useState(first)
  setOrder = set
  return (
    <OrderContext value={order}>
      <Items />
    </OrderContext>
  )
}

startVariant({
  mount: (container, order) => createRoot(container).render(<Root first={order} />),
  update: (next) => setOrder(next),
})
