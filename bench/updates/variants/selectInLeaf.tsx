import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import type { LineItem, Order } from 'kassa/schema'
import { createRoot } from 'react-dom/client'
import { DeliveryElement, ImageElement, NameElement, PriceElement, QuantityElement } from './elements.js'
import { startVariant } from './startVariant.js'

const queryKey = ['order']
const queryClient = new QueryClient()

const useItem = <Selected,>(index: number, select: (item: LineItem) => Selected): Selected | undefined =>
  useQuery({
    queryKey,
    queryFn: () => queryClient.getQueryData<Order>(queryKey),
    staleTime: Number.POSITIVE_INFINITY,
    select: (order) => {
      const item = order?.lineItems[index]
      return item && select(item)
    },
  }).data

type At = { index: number }

const Image = ({ index }: At) => {
  const metadata = useItem(index, (item) => item.metadata)
  return ImageElement({ src: metadata?.imageUrl, alt: metadata?.name })
}
const Name = ({ index }: At) => NameElement({ name: useItem(index, (item) => item.metadata?.name) })
const Quantity = ({ index }: At) => QuantityElement({ quantity: useItem(index, (item) => item.quantity) })
const Price = ({ index }: At) => {
  const price = useItem(index, (item) => item.quote.totalPrice)
  return PriceElement({ amount: price?.amount, currency: price?.currency })
}
const Delivery = ({ index }: At) =>
  DeliveryElement({ status: useItem(index, (item) => item.delivery.status) })

const Item = ({ index }: At) => (
  <li data-status={useItem(index, (item) => item.delivery.status)}>
    <Image index={index} />
    <Name index={index} />
    <Quantity index={index} />
    <Price index={index} />
    <Delivery index={index} />
  </li>
)

startVariant({
  mount: (container, order) => {
    queryClient.setQueryData(queryKey, order)
    createRoot(container).render(
      <QueryClientProvider client={queryClient}>
        <ul>
          {order.lineItems.map((_, index) => (
            <Item key={index} index={index} />
          ))}
        </ul>
      </QueryClientProvider>,
    )
  },
  update: (next) => void queryClient.setQueryData(queryKey, next),
})
