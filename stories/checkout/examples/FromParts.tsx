import { Checkout } from 'kassa'

export function FromParts(props: { orderId: string; clientSecret: string }) {
  return (
    <Checkout.Root {...props} className="checkout">
      <Checkout.Items>
        <Checkout.Item>
          <Checkout.ItemImage />
          <Checkout.ItemName />
          <Checkout.ItemPrice />
          <Checkout.ItemDelivery />
        </Checkout.Item>
      </Checkout.Items>
      <Checkout.Total />
      <Checkout.Expiry />
      <Checkout.Pay className={({ isPending }) => (isPending ? 'pay busy' : 'pay')} />
      <Checkout.Status />
      <Checkout.Error />
      <Checkout.Receipt />
    </Checkout.Root>
  )
}
