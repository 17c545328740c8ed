import { Checkout } from 'kassa'

export function OneLine(props: { orderId: string; clientSecret?: string }) {
  return <Checkout.Panel {...props} />
}
