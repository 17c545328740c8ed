import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import type { LineItem, Order } from 'kassa/schema'
import { memo } from 'react'
import { createRoot } from 'react-dom/client'
import { DeliveryElement, ImageElement, NameElement, PriceElement, QuantityElement } from './elements.js'
import { startVariant } from './startVariant.js'

const queryKey = ['order']
const queryClient = new QueryClient()

const Image = memo(ImageElement)
const Name = memo(NameElement)
const Quantity = memo(QuantityElement)
const Price = memo(PriceElement)
const Delivery = memo(DeliveryElement)

const Item = memo(({ item }: { item: LineItem }) => (
  <li data-status={item.delivery.status}>
    <Image src={item.metadata?.imageUrl} alt={item.metadata?.name} />
    <Name name={item.metadata?.name} />
    <Quantity quantity={item.quantity} />
    <Price amount={item.quote.totalPrice?.amount} currency={item.quote.totalPrice?.currency} />
    <Delivery status={item.delivery.status} />
  </li>
))

const Items = () => {
  const order = useQuery({
    queryKey,
    queryFn: () => queryClient.getQueryData<Order>(queryKey),
    staleTime: Number.POSITIVE_INFINITY,
  }).data
  return (
    <ul>
      {order?.lineItems.map((item, index) => (
        <Item key={index} item={item} />
      ))}
    </ul>
  )
}

/** Offers a page in which one component observes the order, and hands each item down to memoised ones. */
export const startObserver = (): void =>
  startVariant({
    mount: (container, order) => {
      queryClient.setQueryData(queryKey, order)
      createRoot(container).render(
        <QueryClientProvider client={queryClient}>
          <Items />
        </QueryClientProvider>,
      )
    },
    update: (next) => void queryClient.setQueryData(queryKey, next),
  })
